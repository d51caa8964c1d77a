import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from random_programs import WORLD, dense_programs
from unless.errors import ProgramError, ProgramSyntaxError
from unless.logic import edit
from unless.logic.clause import Call
from unless.logic.holds import decide
from unless.logic.rules import Literal
from unless.logic.text.parser import parse
from unless.logic.text.printer import clause_lines

PROGRAM = parse("""\
income(X,'low') :- age(X,N), N =< 20.0, not ab1(X).
income(X,'low') :- job(X,'clerk').
ab1(X) :- job(X,'boss').
""")


def lines(program):
    return list(clause_lines(program))


def test_clauses_come_and_go_and_the_program_stays():
    before = str(PROGRAM)
    added = edit.add_clauses(PROGRAM, "income(X,'low') :- job(X,'page'), not ab2(X). ab2(X) :- age(X,N), N > 60.")
    assert lines(added)[-2:] == [
        "income(X,'low') :- job(X,'page'), not ab2(X).",
        "ab2(X) :- age(X,N1), N1 > 60.0.",
    ]
    assert edit.remove_helper(edit.remove_clause(added, 3), "ab2") == PROGRAM
    assert str(PROGRAM) == before


@pytest.mark.parametrize("which", [1, -2, "income(X,'low') :- job(X,'clerk').", PROGRAM.clauses[1]])
def test_a_clause_is_named_by_place_text_or_value(which):
    changed = edit.replace_clause(PROGRAM, which, "income(X,'low') :- job(X,'page').")
    assert lines(changed)[1] == "income(X,'low') :- job(X,'page')."


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (lambda p: edit.add_goals(p, 0, "not job(X,'cook')"), "not job(X,'cook'), not ab1(X)"),
        (lambda p: edit.add_goals(p, 0, Literal("job", "!=", "cook")), "not job(X,'cook'), not ab1(X)"),
        (lambda p: edit.remove_goals(p, 0, "not ab1(X)"), ""),
        (lambda p: edit.remove_goals(p, 0, Call("ab1")), ""),
    ],
)
def test_goals_come_and_go(change, first):
    rest = f", {first}" if first else ""
    assert lines(change(PROGRAM))[0] == f"income(X,'low') :- age(X,N1), N1 =< 20.0{rest}."


def test_goals_are_replaced_in_their_place():
    changed = edit.replace_goals(PROGRAM, 0, "age(X,M), M =< 20", "age(X,M), M > 3, M =< 27.5")
    assert lines(changed)[0] == "income(X,'low') :- age(X,N1), N1 > 3.0, N1 =< 27.5, not ab1(X)."


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        (lambda p: edit.remove_clause(p, 2), ProgramError, "'ab1' is called but no clause defines it"),
        (lambda p: edit.remove_clause(p, 3), ProgramError, "there is no clause 3; the program has 3, from 0"),
        (lambda p: edit.remove_clause(p, "ab1(X) :- job(X,'cook')."), ProgramError, "no such clause: ab1"),
        (lambda p: edit.remove_clause(p, ""), ProgramError, "the text has 0 clauses"),
        (lambda p: edit.remove_goals(p, 1, "job(X,'clerk')"), ProgramError, "has no condition"),
        (lambda p: edit.remove_goals(p, 1, "job(X,'cook')"), ProgramError, "job(X,'cook') is not a goal of the clause"),
        (lambda p: edit.remove_helper(p, "ab9"), ProgramError, "helper predicates: ab1"),
        (lambda p: edit.add_clauses(p, "income(X,'low') :- jib(X,'a')."), ProgramSyntaxError, "Did you mean 'job'"),
        (lambda p: edit.add_clauses(p, "%@ unless 1"), ProgramSyntaxError, "write clauses only"),
        (lambda p: edit.add_goals(p, 0, "age(X,N), N =< "), ProgramSyntaxError, "expected: a number"),
        (lambda p: edit.add_goals(p, 2, "not ab1(X)"), ProgramError, "defined in a circle"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said(change, error, said):
    with pytest.raises(error) as caught:
        change(PROGRAM)
    assert said in str(caught.value)


def test_a_helper_goes_with_its_templates():
    templated = parse(str(PROGRAM) + "#pred ab1(X) :: '@(X) is a boss'.\n#pred job(X,J) :: '@(X) works as @(J)'.\n")
    assert len(edit.remove_helper(templated, "ab1").templates) == 1


@settings(max_examples=40)
@given(dense_programs, st.data())
def test_a_clause_taken_out_and_put_back_changes_nothing(program, data):
    place = data.draw(st.integers(0, len(program.clauses) - 1))
    text = lines(program)[place]
    name = program.clauses[place].name
    assume(name is None or len(program.helpers[name]) > 1)
    again = edit.add_clauses(edit.remove_clause(program, place), text, at=place)
    assert again == program
    assert [decide(again, row) for row in WORLD] == [decide(program, row) for row in WORLD]
