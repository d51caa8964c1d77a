"""What is remarked while a table is read and learned from, in each language."""

import ast
import logging
import re
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

import unless
from unless.cli.app import make_app
from unless.cli.progress import gathering_notes, saying_what_is_kept
from unless.cli.read_rows import ONE_UNKNOWN, UNKNOWN
from unless.errors import Count, Note, NotePart, Phrase
from unless.explain.faces.note_text import note_text
from unless.explain.words.language import language, languages
from unless.learn.grade_again import LEFT_OUT, ONE_LEFT_OUT
from unless.learn.optimise.optimised_program import (
    NO_LABEL_PAYS,
    NO_RULE_PAYS,
    NO_RULE_PAYS_LIGHT,
    NO_RULE_PAYS_WEIGHED,
)
from unless.learn.rows.survey import ONE_UNREAD, UNREAD, UNREAD_SWAPPED
from unless.logic.column_names import OTHERWISE, SEVERAL_OTHERWISE
from unless.table import kind_remarks
from unless.table.column_look import Look
from unless.table.identifiers import ColumnFinding
from unless.table.labels import ONE_UNLABELLED, UNLABELLED
from unless.table.unlike_cells import ALIKE, MEASURES, ONE_ALIKE, ONE_UNLIKE, TOO_HIGH, TOO_LOW, UNLIKE, UNLIKE_SWAPPED

SOURCE = Path(unless.__file__).parent
OF_PYTHON = ("class_weight=", "costs=", "readings=", "size_penalty=", "tail=", "UnlessClassifier")
"""What is typed in Python; the command's sentences name its options instead."""


def sentences():
    """Return all that the library logs or notes, and its parts; the log of a server is another matter."""
    found = {NO_RULE_PAYS, NO_RULE_PAYS_LIGHT, NO_RULE_PAYS_WEIGHED, NO_LABEL_PAYS}
    found |= {ONE_UNLIKE, UNLIKE, UNLIKE_SWAPPED, ONE_ALIKE, ALIKE, TOO_LOW, TOO_HIGH, *MEASURES.values()}
    found |= {kind_remarks.MIXED_COLUMNS, kind_remarks.MIXED, kind_remarks.READ_COLUMNS, kind_remarks.READ}
    found |= {ONE_UNLABELLED, UNLABELLED, ONE_UNREAD, UNREAD, UNREAD_SWAPPED}
    found |= {ONE_UNKNOWN, UNKNOWN, ONE_LEFT_OUT, LEFT_OUT, OTHERWISE, SEVERAL_OTHERWISE}
    for module in SOURCE.rglob("*.py"):
        tree = ast.parse(module.read_text("utf-8"))
        for node in ast.walk(tree) if "web" not in module.parts else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("log.warning", "Note", "NotePart"):
                found |= {*said(node.args[0], tree)}
    return found - {""}


def said(argument, tree):
    """Yield the sentences that an argument can be: as it stands, as a constant of its module, or one of two."""
    if isinstance(argument, ast.Constant):
        yield argument.value
    elif isinstance(argument, ast.IfExp):
        yield from said(argument.body, tree)
        yield from said(argument.orelse, tree)
    elif isinstance(argument, ast.Name):
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == argument.id:
                yield from said(node.value, tree)


def test_every_sentence_has_its_words():
    phrases = language("en").phrases["notes"]
    assert sentences() == {key for key in phrases if key != "phrases"}


def test_english_is_what_is_logged():
    """It stands twice, as a message and as a phrase: it must not drift apart."""
    for sentence in sentences():
        if not any(word in sentence for word in OF_PYTHON):
            said = re.split("%[rsd]", sentence)
            numbered = "".join(f"{{{i}}}{part}" for i, part in enumerate(said[1:]))
            assert language("en").phrases["notes"][sentence] == said[0] + numbered


@pytest.mark.parametrize("name", languages())
def test_words_within_sentences_are_said(name):
    for reading in ("1.234,56", "dd.mm.yyyy", "hh:mm"):
        assert language(name).say("notes.phrases", kind_remarks.meaning(reading))
    zoned = Look(is_text=True, n_numbers=0, n_texts=1, has_zone=True)
    assert language(name).say("notes.phrases", kind_remarks.zone(zoned, "yyyy-mm-dd hh:mm"))
    assert language(name).say("notes.phrases", kind_remarks.century("dd.mm.yy"))


def test_names_keep_their_words_and_findings_are_said():
    finding = ColumnFinding("dates", "identifier", "a different word in every row", "", "word")
    said = note_text("left out: %s (%s). To learn from it: %s", ("dates", finding, "--keep-column dates"), lang="de")
    assert said == "weggelassen: dates (in jeder Zeile ein anderes Wort). Um daraus zu lernen: --keep-column dates"
    part = NotePart("; %s of %s cells are not written so, such as %r: they are words", Count(2), Count(1200), "x")
    sentence = "column %r is read as %s: %s%s%s%s."
    read = note_text(sentence, ("dates", Phrase("dates"), "yyyy", "", "", part), lang="de")
    assert read == (
        "Spalte ‚dates‘ wird gelesen als Datumsangaben: yyyy; 2 von 1.200 Zellen sind nicht so geschrieben, etwa ‚x‘: "
        "sie sind Wörter."
    )


def test_a_note_without_words_stays_in_english():
    with gathering_notes("de") as notes:
        logging.getLogger("unless").warning("nobody translated %s", "this")
        warnings.warn("nor that", UserWarning, stacklevel=1)
    assert notes == ["nobody translated this", "nor that"]


def test_a_note_is_a_warning_that_reads_as_before():
    note = Note("of %s rows %s are %r", Count(4200), Count(7), "late")
    assert isinstance(note, UserWarning)
    assert str(note) == "of 4,200 rows 7 are 'late'"


def test_no_rule_pays_is_said_in_german(tmp_path):
    """Of a program without rules a German user read only how many notes there were, and a command that lacked them."""
    table = tmp_path / "t.csv"
    lines = [f"K{i:03},{i * 37 % 101},{'late' if i % 21 == 0 else 'ok'}" for i in range(200)]
    table.write_text("\n".join(["id,a,b", *lines]) + "\n")
    asked = ["learn", str(table), "--target", "b", "-o", str(tmp_path / "m.lp")]
    german = " ".join(CliRunner().invoke(make_app(), [*asked, "--language", "de"]).output.split())
    assert "Hinweis: keine Regel lohnt sich: von 200 Zeilen sind 10 ‚late‘" in german
    assert "(--balanced)" in german
    assert "(--cost-of late=10)" in german
    assert "Hinweis: weggelassen: id (in jeder Zeile ein anderes Wort)" in german
    english = " ".join(CliRunner().invoke(make_app(), asked).output.split())
    assert "weigh both labels alike (--balanced) or say what missing one costs (--cost-of late=10)." in english
    data = CliRunner().invoke(make_app(), [*asked, "--language", "de", "--json"]).output
    assert "left out: id" in data


def test_reading_is_remarked_in_the_language_of_the_command(tmp_path):
    """What was said of a file that is read stood in English above a German answer."""
    table = tmp_path / "t.csv"
    rows = [f"{i};Köln;{'ja' if i % 2 else 'nein'}" for i in range(20)]
    table.write_bytes("\n".join(["zahl;ort;ok", *rows]).encode("cp1252"))
    for name, sentence in (("de", "ist nicht in UTF-8: gelesen wird als"), ("en", "is not in UTF-8: it is read as")):
        said = CliRunner().invoke(make_app(), ["look", str(table), "--language", name])
        assert said.stderr == f"unless: {table} {sentence} Windows-1252.\n"
    before = logging.getLogger().handlers
    assert not any(type(handler).__name__ == "_Speaking" for handler in before)


def test_a_sentence_ends_with_one_point():
    """Of hours it was said that they are read as numbers: 1234,56 Std.."""
    sentence = "column %r is read as %s: %s%s%s%s."
    said = note_text(sentence, ("zeit", Phrase("numbers"), "1234,56 Std.", "", "", ""))
    assert said == "column 'zeit' is read as numbers: 1234,56 Std."


def test_rows_without_a_label_are_counted_in_the_language_of_the_command(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.lp"
    model.write_text("%@ target ok: 'ja' else 'nein'\n%@ numerical zahl\nok(X,'ja') :- zahl(X,N), N > 5.0.\n")
    rows = [f"{i};{'ja' if i > 5 else 'nein'}" for i in range(10)]
    one, more = (
        "1 Zeile hat keine Klasse in Spalte ‚ok‘ und wird",
        "2 Zeilen haben keine Klasse in Spalte ‚ok‘ und werden",
    )
    for absent, said in ((["7;"], one), (["7;", "8;"], more)):
        table.write_text("\n".join(["zahl;ok", *rows, *absent]) + "\n")
        for command in (("score", str(model)), ("rules", str(model)), ("compare", str(model), str(model))):
            asked = CliRunner().invoke(make_app(), [*command, str(table), "--language", "de"])
            assert f"unless: {said} weggelassen.\n" in asked.stderr


def test_learning_that_is_cut_short_is_said_in_the_language_of_the_command(tmp_path, capsys):
    table = tmp_path / "t.csv"
    rows = [f"{i % 17},{i % 5},{'late' if i % 17 > 9 else 'ok'}" for i in range(200)]
    table.write_text("\n".join(["a,b,c", *rows]) + "\n")
    asked = ["learn", str(table), "--target", "c", "-o", str(tmp_path / "m.lp"), "--time-limit", "0"]
    for name, said in (("de", "vorzeitig beendet; dies ist das beste"), ("en", "stopped early; this is the best")):
        assert f"unless: {said}" in CliRunner().invoke(make_app(), [*asked, "--language", name]).stderr
    with pytest.raises(KeyboardInterrupt), saying_what_is_kept("c.json", "de"):
        raise KeyboardInterrupt
    assert capsys.readouterr().err == "unless: fertige Regeln stehen in c.json; derselbe Befehl macht dort weiter.\n"


def test_background_and_examples_are_remarked_in_german(tmp_path):
    """These stood in English among German ones."""
    (tmp_path / "exs.pl").write_text("pos(fly(a)). pos(fly(b)). neg(fly(c)). neg(fly(d)).")
    (tmp_path / "bk.pl").write_text("bird(a). bird(b). cat(c). cat(d). can(X) :- birt(X). knows(a,b). knows(b,a).")
    (tmp_path / "bias.pl").write_text("head_pred(fly,1). body_pred(bird,1). body_pred(wings,2). max_vars(4).")
    asked = ["learn", "--examples", str(tmp_path / "exs.pl"), "--background", str(tmp_path / "bk.pl")]
    asked += ["--bias", str(tmp_path / "bias.pl"), "-o", str(tmp_path / "m.lp"), "--language", "de"]
    found = CliRunner().invoke(make_app(), asked)
    said = " ".join(found.output.split())
    assert "der Hintergrund fragt nach birt/1, was nichts bestimmt: es gilt nie. Ist ‚bird‘ gemeint?" in said
    assert "vom Bias wird nicht verwendet: max_vars." in said
    assert "der Bias spricht von wings/2, wozu der Hintergrund keinen Fakt hat." in said


def test_commands_that_write_something_remark_in_german(tmp_path):
    """`grade`, `predict`, `export` had no language: all they said was in English."""
    model, table = tmp_path / "m.lp", tmp_path / "t.csv"
    rows = [f"{i % 50},{'=1+1' if i % 50 > 20 else 'b'}" for i in range(100)]
    table.write_text("\n".join(["Age ,y", *rows, "7,zebra"]) + "\n")
    model.write_text(
        "%@ unless 1\n%@ target y: '=1+1' else 'b'\n%@ numerical age\ny(X,'=1+1') :- age(X,N), N > 20.0.\n"
    )
    heard = {
        ("grade", model, table, "-o", tmp_path / "g.lp", "--forbid", "age"): (
            "1 Zeile wird weggelassen, deren Klasse das Programm nicht kennt: 'zebra'.",
            "Nur die Punkte halten sich daran.",
            "mit Punkten.",
        ),
        ("predict", model, table): ("Spalte ‚age‘ des Programms heißt hier ‚Age ‘.", "als Formel ausführen"),
        ("export", model, table, "--to", "python", "--verify"): ("wie das Programm (", "heißt hier ‚Age ‘."),
    }
    for command, sentences_said in heard.items():
        found = CliRunner().invoke(make_app(), [*map(str, command), "--language", "de"])
        assert found.exit_code == 0, (found.output, found.exception)
        assert [each for each in sentences_said if each not in found.stderr] == [], found.stderr
        assert found.stderr.count("Spalte ‚age‘ des Programms") == 1
