"""The API of one program: its answers, its refusals, its limits."""

import asyncio
import json

import httpx
import pytest

from studio import BIRDS, LABELS, ROWS, server
from unless.logic.text.parser import parse
from unless.web.applications import serve_app
from unless.web.prometheus import ServerMetrics
from unless.web.security import RequestLimits


def test_predict_gives_a_label_for_each_row() -> None:
    answer = server().post("/api/predict", json={"rows": ROWS})
    assert answer.json() == {"target": "flies", "labels": LABELS}


def test_a_graded_program_gives_probabilities_too() -> None:
    lines = "%@ grade of 0000\n%@ grade 'yes' curve 1.0 -1.0\n%@ grade 'yes' points 3 if decided\n"
    client = server(BIRDS + lines)
    answer = client.post("/api/predict", json={"rows": ROWS}).json()
    assert answer["labels"] == LABELS
    for label, shares in zip(LABELS, answer["probabilities"], strict=True):
        assert max(shares, key=shares.get) == label
        assert sum(shares.values()) == pytest.approx(1.0)
    explained = client.post("/api/explain", json={"rows": ROWS[:1]}).json()["answers"][0]
    assert explained["proof"]["risk"]["probability"] == answer["probabilities"][0]["yes"]
    assert "before it was edited" in explained["english"]


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
    ("/api/predict", {"rows": "all"}, "valid list"),
    ("/api/predict", {"row": []}, "Field required"),
    ("/api/predict", {"rows": [{"bird": {"a": 1}, "name": "x", "age": 1}]}, "bird"),
    ("/api/predict", {"rows": [{"bird": "yes", "name": "x", "age": "inf"}]}, "infinite"),
    ("/api/explain", {"rows": [{}] * 201}, "at most 200"),
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


NO_ROWS = ["{", "null", "[1e999]", '{"rows": [{"a": 1e999}]}', '{"rows": [{"\\ud800": 1}]}', "\x00"]


@pytest.mark.parametrize("body", NO_ROWS, ids=range(len(NO_ROWS)))
def test_bodies_that_are_no_json_or_no_rows_are_refused(body: str) -> None:
    answer = server().post("/api/predict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


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
    assert client.post("/api/predict", json={"rows": ROWS}).status_code == 503


def test_requests_that_come_together_are_predicted_together() -> None:
    """Requests in one batch get their own labels, and one that cannot be read spoils no other."""

    async def ask_all() -> list[httpx.Response]:
        transport = httpx.ASGITransport(serve_app(parse(BIRDS)))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            bad = {"bird": "yes", "name": "x", "age": "-inf"}
            bodies = [[ROWS[i % 4]] for i in range(12)] + [[bad]]
            answers = await asyncio.gather(*(client.post("/api/predict", json={"rows": rows}) for rows in bodies))
            metrics = await client.get("/metrics")
            return [*answers, metrics]

    *good, bad, metrics = asyncio.run(ask_all())
    assert [answer.json()["labels"] for answer in good] == [[LABELS[i % 4]] for i in range(12)]
    assert bad.status_code == 422
    batches = next(line for line in metrics.text.splitlines() if line.startswith("unless_batches_total"))
    assert int(batches.split()[1]) < 13


def test_metrics_are_in_the_form_that_prometheus_reads() -> None:
    client = server()
    client.post("/api/predict", json={"rows": ROWS})
    client.get("/no/such/path")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    assert 'unless_requests_total{method="POST",path="/api/predict",status="200"} 1' in lines
    assert 'unless_requests_total{method="GET",path="other",status="404"} 1' in lines
    assert "unless_rows_predicted_total 4" in lines
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


def test_serve_offers_nothing_but_the_api() -> None:
    paths = json.loads(server().get("/openapi.json").text)["paths"]
    assert sorted(paths) == ["/api/compare", "/api/explain", "/api/predict", "/api/program", "/health", "/metrics"]
    assert server().get("/").status_code == 404


def test_a_program_without_rules_answers_its_default() -> None:
    text = "%@ unless 1\n%@ target flies: 'yes' else 'no'\n%@ categorical bird\n"
    assert server(text).post("/api/predict", json={"rows": [{}, {"x": 1}]}).json()["labels"] == ["no", "no"]
