"""The API of one program: its answers, its refusals, its limits."""

import httpx
import pytest

from studio import BIRDS, LABELS, ROWS, server
from unless.logic.text.parser import parse
from unless.web.access_token import AccessToken
from unless.web.prometheus import ServerMetrics
from unless.web.security import RequestLimits
from unless.web.served_program import version_of


def labels(answer: httpx.Response) -> list[object]:
    """Return the labels of an answer."""
    return [each["label"] for each in answer.json()["answers"]]


def test_predict_gives_label_rule_and_reason_of_each_row_and_the_version() -> None:
    answer = server().post("/api/predict", json={"rows": ROWS}).json()
    assert (answer["model"], answer["target"]) == ("model", "flies")
    assert answer["version"] == version_of(parse(BIRDS))
    assert answer["answers"] == [
        {"label": "yes", "rule": "1", "reason": "Yes, by rule 1: bird is yes."},
        {
            "label": "no",
            "rule": "1.1",
            "reason": "No: exception 1.1 applies, because name is penguin.",
        },
        {"label": "yes", "rule": "1", "reason": "Yes, by rule 1: bird is yes."},
        {"label": "no", "rule": None, "reason": "No: no rule applies."},
    ]


def test_a_graded_program_gives_probabilities_too() -> None:
    lines = "%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if decided\n"
    client = server(BIRDS + lines)
    answers = client.post("/api/predict", json={"rows": ROWS}).json()["answers"]
    for label, answer in zip(LABELS, answers, strict=True):
        shares = answer["probabilities"]
        assert max(shares, key=shares.get) == label == answer["label"]
        assert shares[label] == answer["probability"]
        assert sum(shares.values()) == pytest.approx(1.0)
    explained = client.post("/api/explain", json={"rows": ROWS[:1]}).json()["answers"][0]
    assert explained["proof"]["risk"]["probability"] == answers[0]["probability"]
    assert "before it was edited" in explained["english"]


def test_what_must_be_known_of_all_probabilities_is_said_beside_the_answers() -> None:
    """A misspelt column of the grade, weighed rows and an edit moved every probability, and no answer said so."""
    card = "%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if weight > 2.0\n"
    graded = BIRDS.replace("%@ numerical age", "%@ numerical age, weight")
    rows = [{**row, "weight": None} for row in ROWS]
    assert "warnings" not in server(graded + card).post("/api/predict", json={"rows": rows}).json()
    for path in ("predict", "explain"):
        (said,) = server(graded + card).post(f"/api/{path}", json={"rows": ROWS}).json()["warnings"]
        assert said.startswith("No row has 'weight', which the grade tests")
    of_it = f"of {parse(graded).mark} weighed"
    for mark, expected in (("of 0000", "The grade is of the program before it was edited."), (of_it, "as weighed")):
        (said,) = (
            server(f"{graded}%@ grade {mark}\n{card}").post("/api/predict", json={"rows": rows}).json()["warnings"]
        )
        assert expected in said


def test_probabilities_of_weighed_rows_stand_beside_those_of_rows_as_they_are() -> None:
    """A service was told by what to divide the odds, and of rows at one half nothing could be known."""
    mark = f"%@ grade of {parse(BIRDS).mark} weighed by 20.0\n"
    client = server(f"{BIRDS}{mark}%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if decided\n")
    said = client.post("/api/predict", json={"rows": ROWS}).json()
    assert "weighed 20 times as much" in said["warnings"][0]
    explained = client.post("/api/explain", json={"rows": ROWS}).json()["answers"]
    for answer, proved in zip(said["answers"], explained, strict=True):
        assert answer["as_they_are"]["yes"] == proved["proof"]["risk"]["as_they_are"] < answer["probabilities"]["yes"]
        assert sum(answer["as_they_are"].values()) == pytest.approx(1.0)
    described = client.get("/openapi.json").json()["components"]["schemas"]
    assert any("as_they_are" in each.get("properties", {}) for each in described.values())


def test_explain_gives_reasons_for_and_against() -> None:
    answer = server().post("/api/explain", json={"rows": ROWS[:2]}).json()
    flies, stays = answer["answers"]
    assert flies["label"] == "yes"
    assert "bird is yes" in flies["english"]
    assert flies["reasons"][0]["holds"] is True
    assert stays["label"] == "no"
    assert stays["against"] == []
    assert stays["proof"]["format"] == "unless proof"


def test_program_is_given_as_data_text_and_english() -> None:
    answer = server().get("/api/program").json()
    assert parse(answer["text"]) == parse(BIRDS)
    assert answer["target"] == {"column": "flies", "labels": ["yes"], "default": "no"}
    assert "unless name is penguin" in answer["english"]


def test_compare_lists_the_rows_that_flip() -> None:
    other = BIRDS.replace("'penguin'", "'robin'")
    rows = [{**row, "flies": label} for row, label in zip(ROWS, LABELS, strict=True)]
    answer = server().post("/api/compare", json={"program": other, "rows": rows}).json()
    assert answer["n_flips"] == 2
    assert [flip["row"] for flip in answer["flips"]] == [0, 1]
    assert answer["verdicts"] == {"worse": 2}


WRONG = [
    ("/api/predict", {"rows": [{"bird": "yes"}]}, "column 'name' is not in the rows"),
    ("/api/predict", {"rows": [{"bird": "yes", "name": "x", "agee": 1}]}, "Did you mean 'agee'?"),
    ("/api/predict", {"rows": "all"}, "rows is text; accepted: a list of objects"),
    ("/api/predict", {"row": []}, "Did you mean 'rows'?"),
    ("/api/predict", {}, "no field 'rows'"),
    ("/api/predict", [], "the body is a list"),
    ("/api/predict", {"rows": [ROWS[0], 7]}, "row 1 is a number"),
    ("/api/predict", {"rows": [{"bird": {"a": 1}, "name": "x", "age": 1}]}, "row 0: column 'bird' holds a dict"),
    ("/api/predict", {"rows": [ROWS[0], {"bird": "yes", "name": "x", "age": "1e400"}]}, "row 1: column 'age'"),
    ("/api/predict", {"rows": [{}] * 10_001}, "at most 10,000"),
    ("/api/explain", {"rows": [{}] * 201}, "at most 200"),
    ("/api/explain", {"rows": [{"bird": "yes", "name": [], "age": 1}]}, "row 0: column 'name'"),
    ("/api/compare", {"program": 7, "rows": []}, "program is a number"),
    ("/api/compare", {"program": BIRDS, "rows": [], "limit": True}, "limit is True"),
    ("/api/compare", {"program": BIRDS, "rows": [], "limit": 201}, "from 0 to 200"),
    ("/api/compare", {"program": "flies(X) :- ", "rows": []}, "line 1"),
    ("/api/compare", {"program": BIRDS.replace("flies", "swims"), "rows": []}, "different columns"),
]


@pytest.mark.parametrize(("path", "body", "said"), WRONG)
def test_wrong_requests_are_refused_with_a_sentence(path: str, body: object, said: str) -> None:
    answer = server().post(path, json=body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]["message"]


def test_a_syntax_error_says_its_line_and_column() -> None:
    text = BIRDS.replace(" :- bird", " : - bird")
    error = server().post("/api/compare", json={"program": text, "rows": []}).json()["error"]
    assert (error["line"], error["column"]) == (5, 16)
    assert "':-'" in error["expected"]


HALF = '{"rows": [{"bird": "\\ud800", "name": "x", "age": 1}]}'
NO_ROWS = [
    "{", "null", "[1e999]", '{"rows": [{"a": 1e999}]}', '{"rows": [{"\\ud800": 1}]}', "\x00", HALF, "[" * 100_000,
    '{"rows": [{"bird": "yes", "name": "x", "age": 1e999}]}', '{"rows": [{"bird": "yes", "name": "x", "age": NaN}]}',
    '{"rows": [{"bird": "yes", "name": "x", "age": ' + "9" * 5000 + "}]}", b"\xff\xfe",
]  # fmt: skip


@pytest.mark.parametrize("body", NO_ROWS, ids=range(len(NO_ROWS)))
def test_bodies_that_are_no_json_or_no_rows_are_refused(body: str | bytes) -> None:
    """A lone surrogate was a UnicodeEncodeError."""
    for path in ("predict", "explain"):
        answer = server().post(f"/api/{path}", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.json()["error"]["message"]


def test_nan_is_answered_by_what_it_is() -> None:
    """It was answered with "should be a valid boolean"."""
    body = '{"rows": [{"bird": "yes", "name": "x", "age": NaN}]}'
    answer = server().post("/api/predict", content=body).json()["error"]["message"]
    assert "holds NaN" in answer
    assert "a missing value is null" in answer


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('"bird": "no", "bird": "yes", "name": "x", "age": 1', "has 'bird' twice in one object"),
        ('"bird": "yes", "name": "x", "age": ' + "9" * 5000, "a whole number of thousands of digits"),
    ],
)
def test_what_json_leaves_open_is_refused_by_what_it_is(row: str, said: str) -> None:
    """Of two values the last was taken without a word; of a long number a function of Python was advised."""
    answer = server().post("/api/predict", content='{"rows": [{' + row + "}]}")
    assert answer.status_code == 400
    assert said in answer.json()["error"]["message"]
    assert "sys." not in answer.text


def test_integers_beyond_all_floats_are_refused() -> None:
    body = '{"rows": [{"bird": "yes", "name": "x", "age": 1' + "0" * 400 + "}]}"
    answer = server().post("/api/predict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "localhost.evil.example:8000"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_foreign_hosts_and_origins_are_refused(headers: dict[str, str]) -> None:
    answer = server().get("/api/program", headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"]["kind"] == "refused"


@pytest.mark.parametrize("host", ["localhost", "localhost:8646", "127.0.0.1:1", "[::1]:8646", "LOCALHOST"])
def test_names_of_this_machine_are_answered(host: str) -> None:
    answer = server().get("/health", headers={"host": host, "origin": f"http://{host}"})
    assert answer.json() == {"status": "ok"}


def test_every_answer_forbids_scripts_from_elsewhere() -> None:
    client = server()
    for answer in (client.get("/health"), client.get("/nowhere"), client.get("/health", headers={"host": "x"})):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_long_bodies_are_refused_whether_they_say_their_length_or_not() -> None:
    client = server(limits=RequestLimits(body_bytes=100))
    assert client.post("/api/predict", json={"rows": ROWS}).status_code == 413
    stream = (b" " * 50 for _ in range(10))
    answer = client.post("/api/predict", content=stream, headers={"content-type": "application/json"})
    assert answer.status_code == 413


def test_answers_that_take_too_long_are_given_up() -> None:
    client = server(limits=RequestLimits(seconds=1e-9))
    for path, rows in (("predict", ROWS * 2500), ("explain", ROWS * 50)):
        assert client.post(f"/api/{path}", json={"rows": rows}).status_code == 503


def test_metrics_are_in_the_form_that_prometheus_reads() -> None:
    client = server()
    client.post("/api/predict", json={"rows": ROWS})
    client.get("/no/such/path")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert 'unless_requests_total{method="POST",path="/api/predict",status="200"} 1' in lines
    assert 'unless_requests_total{method="GET",path="other",status="404"} 1' in lines
    version = version_of(parse(BIRDS))
    for label, rule, n in (("yes", "1", 2), ("no", "1.1", 1), ("no", "none", 1)):
        assert f'unless_rows_total{{model="model",version="{version}",label="{label}",rule="{rule}"}} {n}' in lines
    for line in lines:
        assert line.startswith("# ") or float(line.rsplit(" ", 1)[1]) >= 0


def test_histogram_counts_add_up() -> None:
    metrics = ServerMetrics()
    for seconds in (0.001, 0.2, 99.0):
        metrics.request("GET", "/x", 200, seconds)
    text = metrics.text()
    assert 'bucket{path="/x",le="0.005"} 1' in text
    assert 'bucket{path="/x",le="0.3"} 2' in text
    assert 'bucket{path="/x",le="+Inf"} 3' in text


def test_a_program_without_rules_answers_its_default() -> None:
    text = "%@ unless 1\n%@ target flies: 'yes' else 'no'\n%@ categorical bird\n"
    assert labels(server(text).post("/api/predict", json={"rows": [{}, {"x": 1}]})) == ["no", "no"]


def test_odd_rows_are_answered_with_a_warning_or_refused() -> None:
    odd = {"bird": 7, "name": "x", "age": "old"}
    answer = server().post("/api/predict", json={"rows": [ROWS[0], odd]}).json()["answers"]
    assert "warnings" not in answer[0]
    assert answer[1]["warnings"] == [
        "column 'bird' holds words and was given 7, which is none.",
        "column 'age' is numerical and holds 'old', which is no number.",
    ]
    absent = server().post("/api/predict", json={"rows": [ROWS[0], {"bird": "yes", "age": 1}]}).json()["answers"][1]
    assert absent["warnings"] == ["column 'name' is absent; it was taken as missing. A missing value is null."]
    for row in (odd, {"bird": "yes", "age": 1}):
        refused = server(strict=True).post("/api/predict", json={"rows": [ROWS[0], row]})
        assert refused.status_code == 422
        assert refused.json()["error"]["message"].startswith("row 1: column ")
        assert "taken as missing" not in refused.json()["error"]["message"]  # it was refused
    assert labels(server(strict=True).post("/api/predict", json={"rows": ROWS})) == LABELS


def test_what_is_odd_in_a_row_is_said_beside_its_proof_too() -> None:
    """/api/explain proved the label of a row with a word for its age, and said nothing of that."""
    odd = {"bird": "yes", "name": "penguin", "age": "old"}
    first, second = server().post("/api/explain", json={"rows": [ROWS[0], odd]}).json()["answers"]
    assert "warnings" not in first
    assert second["warnings"] == ["column 'age' is numerical and holds 'old', which is no number."]


def test_a_number_that_is_not_written_as_its_column_is_told_how() -> None:
    text = "%@ unless 1\n%@ target t: 'a' else 'b'\n%@ numerical due\n%@ read due: 'dd.mm.yyyy'\n"
    text += "t(X,'a') :- due(X,N), N > 19000.0.\n"
    (answer,) = server(text).post("/api/predict", json={"rows": [{"due": "31.02.2024"}]}).json()["answers"]
    assert answer["warnings"] == ["column 'due' is written as dd.mm.yyyy and holds '31.02.2024', which is no number."]


def test_words_among_numbers_that_the_program_knows_are_no_oddity() -> None:
    text = "%@ unless 1\n%@ target t: 'a' else 'b'\n%@ numerical years\nt(X,'a') :- years_is(X,'retired').\n"
    answers = server(text, strict=True).post("/api/predict", json={"rows": [{"years": "retired"}, {"years": 3}]})
    assert labels(answers) == ["a", "b"]


def test_the_studio_and_the_server_need_their_token_if_they_have_one() -> None:
    client = server(token=AccessToken("secret"))
    assert client.get("/health").status_code == 200
    refused = client.get("/api/program")
    assert refused.status_code == 401
    assert "token" in refused.json()["error"]["message"]
    assert client.get("/api/program", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/api/program", headers={"authorization": "Bearer secret"}).status_code == 200
    assert client.get("/?token=wrong", follow_redirects=False).status_code == 401
    welcomed = client.get("/?token=secret", follow_redirects=False)
    assert (welcomed.status_code, welcomed.headers["location"]) == (303, "/")
    assert "HttpOnly" in welcomed.headers["set-cookie"]
    assert client.get("/api/program").status_code == 200  # by the cookie
    assert client.get("/api/program", headers={"cookie": b"unless-token=wr\xf6ng"}).status_code == 401


def test_more_requests_at_once_than_there_is_room_for_are_refused() -> None:
    client = server(limits=RequestLimits(at_once=0))
    for answer in (client.get("/health"), client.post("/api/predict", json={"rows": ROWS})):
        assert answer.status_code == 503
        assert "ask again" in answer.json()["error"]["message"]


def test_paths_and_methods_that_are_not_there_are_said() -> None:
    client = server()
    assert "no '/nowhere' here" in client.get("/nowhere").json()["error"]["message"]
    answer = client.get("/api/predict")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert client.head("/health").status_code == 200
    assert client.head("/health").text == ""
