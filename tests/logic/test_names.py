"""Names and words: every column keeps its name, no two share a predicate, no word is confused with another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_programs import columns_named
from strategies import TRICKY_NAMES, TRICKY_WORDS, names, words
from unless.logic.names import PLAIN, RESERVED, guard, is_plain, name_predicates, unguard
from unless.logic.rules import Column


@pytest.mark.parametrize(
    ("name", "predicate"),
    [
        ("age", "age"),
        ("Age", "age"),
        ("hours per week", "hours_per_week"),
        ("hours-per-week", "hours_per_week"),
        ("1st", "col_1st"),
        ("日本", "col"),
        ("", "col"),
        ("is", "col_is"),
        ("not", "col_not"),
        ("inf", "col_inf"),
        ("c_x", "col_c_x"),
        ("N3", "n3"),
    ],
)
def test_predicate_of_a_column(name, predicate):
    assert name_predicates("label", [Column(name, "categorical")]).numbers_or_words[name] == predicate


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_names_are_avoided(name):
    found = name_predicates(name, [Column(name.upper(), "numerical"), Column(f"{name} ", "categorical")])
    every = [found.target, *found.numbers_or_words.values(), *found.words_among_numbers.values()]
    assert not set(every) & RESERVED


def test_colliding_names_are_kept_apart():
    columns = [Column(name, "numerical") for name in ("Age", "age", "AGE", "age_is", "age is")]
    found = name_predicates("agE", columns)
    every = [found.target, *found.numbers_or_words.values(), *found.words_among_numbers.values()]
    assert len(set(every)) == len(every)
    assert found.numbers_or_words["age_is"] == "age_is_2"  # age_is tests the words among the numbers of age


def test_a_plain_name_is_kept_whatever_stands_before_it():
    found = name_predicates("label", [Column("Age", "categorical"), Column("age", "categorical")])
    assert found.numbers_or_words == {"Age": "age_2", "age": "age"}


@given(columns_named(names, 8), names)
def test_predicates_are_plain_and_all_different(columns, target):
    found = name_predicates(target, columns)
    every = [found.target, *found.numbers_or_words.values(), *found.words_among_numbers.values()]
    assert len(set(every)) == len(every)
    assert all(is_plain(name) for name in every)
    assert set(found.numbers_or_words) == {column.name for column in columns}


def test_predicates_of_all_tricky_names_at_once():
    columns = [Column(name, "numerical") for name in TRICKY_NAMES]
    found = name_predicates("target", columns)
    every = [found.target, *found.numbers_or_words.values(), *found.words_among_numbers.values()]
    assert len(set(every)) == 1 + 2 * len(columns)
    assert all(PLAIN.fullmatch(name) for name in every)


@pytest.mark.parametrize(
    ("word", "guarded"),
    [
        ("grp_1", "grp_1 "),
        ("grp_1 ", "grp_1  "),
        ("a_-1", "a_-1 "),
        ("2020_01", "2020_01 "),
        ("a_1e5", "a_1e5 "),
        ("d_a", " d_a"),
        (" d_a", "  d_a"),
        ("c_a", " c_a"),
        ("n_a", " n_a"),
        ("_a", " _a"),
        ("'a'", " 'a'"),
        ("_1", " _1 "),
    ],
)
def test_words_that_scasp_renames_are_guarded(word, guarded):
    assert guard(word) == guarded
    assert unguard(guarded) == word


@pytest.mark.parametrize("word", ["a", "grp", "a_b", "1_a", "", " ", "a ", "grp_x"])
def test_other_words_stay(word):
    assert guard(word) == word == unguard(word)


@given(words)
def test_unguard_undoes_guard(word):
    assert unguard(guard(word)) == word


@given(st.text(alphabet="_acdn1 '\n", max_size=6), st.text(alphabet="_acdn1 '\n", max_size=6))
def test_guarded_words_stay_different(one, other):
    assert (guard(one) == guard(other)) == (one == other)


def test_all_tricky_words_stay_different():
    assert len({guard(word) for word in TRICKY_WORDS}) == len(set(TRICKY_WORDS))
