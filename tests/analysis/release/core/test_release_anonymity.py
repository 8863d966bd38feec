"""Nobody is alone with what they said of themselves, and no more is withheld than that takes."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.data.core.study_tables import PARTICIPANTS, table
from analysis.release.core.anonymity import (
    AS_GIVEN,
    ELSEWHERE,
    NOBODY,
    STEPS,
    WITHHELD,
    Generalised,
    generalise,
    region_of,
)
from annotation.people.core.countries import countries
from tests.thorough import examples

Person = tuple[object, ...]  # degree, R1, discipline, years, country, ideology
ALIKE: Person = ("doctorate", True, "Law", 12, "France", 3.0)


def people(*answers: Person, role: str = "judge") -> pd.DataFrame:
    return table(((f"{role[0].upper()}-{n}", role, *each) for n, each in enumerate(answers, start=1)), PARTICIPANTS)


def only(participants: pd.DataFrame, k: int) -> tuple[pd.DataFrame, Generalised]:
    told, [done] = generalise(participants, k=k)
    return told, done


def test_profiles_that_are_all_alike_are_published_as_given() -> None:
    told, done = only(people(*[ALIKE] * 5), k=5)
    assert told.iloc[0].tolist() == ["J-1", "judge", "doctorate", "1", "Law", "12", "France", "3"]
    assert set(done.columns.values()) == {AS_GIVEN}
    assert (done.people, done.smallest_group, done.is_withheld) == (5, 5, False)


def test_years_become_bands_just_wide_enough() -> None:
    # 10 and 14 share the band 10-14; 10 and 17 only 10-19; 8 and 17 only 0-19.
    bands = []
    for years in ((10, 14), (10, 17), (8, 17), (8, 27)):
        told, _ = only(people(*[(*ALIKE[:3], each, *ALIKE[4:]) for each in years]), k=2)
        bands.append(set(told["years_experience"]))
    assert bands == [{"10-14"}, {"10-19"}, {"0-19"}, {WITHHELD}]


def test_countries_become_regions_and_those_nobody_knows_are_elsewhere() -> None:
    told, done = only(
        people(*[(*ALIKE[:4], country, 3.0) for country in ("France", " the Netherlands", "UK")]), k=3
    )
    assert set(told["country"]) == {"Europe"}
    assert done.columns["country"] == "by region of the world"
    told, _ = only(people(*[(*ALIKE[:4], country, 3.0) for country in ("Atlantis", "Lemuria")]), k=2)
    assert set(told["country"]) == {ELSEWHERE}


def test_every_country_that_people_can_choose_has_a_region_but_those_where_nobody_lives() -> None:
    nobody = {"Antarctica", "Bouvet Island", "French Southern Territories", "Heard Island and McDonald Islands"}
    nobody |= {"South Georgia and the South Sandwich Islands"}
    assert {name for name in countries() if region_of(name) == ELSEWHERE} == nobody


def test_positions_become_whole_points() -> None:
    told, done = only(people(*[(*ALIKE[:5], position) for position in (2.5, 3.0, 3.4)]), k=3)
    assert set(told["ideology"]) == {"3"}
    assert done.columns["ideology"] == "to the nearest point"


def test_the_way_that_keeps_most_is_taken() -> None:
    # Six people, k = 3. Disciplines and degrees cut across each other: together they leave one or two of a kind.
    # Degrees alone make groups of 3 and 3, which is 1 bit; disciplines alone 4 and 2, of which 2 are too few.
    answers = [(d, True, f, 12, "France", 3.0) for d, f in zip(["master", "doctorate"] * 3, "LLLLHH", strict=True)]
    told, done = only(people(*answers), k=3)
    assert done.columns["highest_degree"] == AS_GIVEN
    assert done.columns["discipline"] == WITHHELD
    assert told["highest_degree"].value_counts().to_dict() == {"master": 3, "doctorate": 3}


def test_of_the_few_who_are_rare_nothing_is_told_so_that_more_is_told_of_the_others() -> None:
    # Six lawyers and six historians, and two of subjects of their own: k = 2 leaves these two out together.
    subjects = ["Law"] * 6 + ["History"] * 6 + ["Ethics", "Music"]
    told, done = only(people(*[(*ALIKE[:2], subject, *ALIKE[3:]) for subject in subjects]), k=2)
    assert told["discipline"].tolist() == subjects[:12] + [WITHHELD] * 2
    assert set(told.loc[12:, list(STEPS)].to_numpy().ravel()) == {WITHHELD}
    assert (done.columns["discipline"], done.withheld, done.smallest_group) == (AS_GIVEN, 2, 2)


def test_nobodys_answer_is_withheld_alone() -> None:
    # One musician: to be among k = 3, the smaller group of the others is withheld with them.
    subjects = ["Law"] * 6 + ["History"] * 6 + ["Ethics"] * 3 + ["Music"]
    told, done = only(people(*[(*ALIKE[:2], subject, *ALIKE[3:]) for subject in subjects]), k=3)
    assert told["discipline"].tolist() == subjects[:12] + [WITHHELD] * 4
    assert done.withheld == 4


def test_what_was_not_answered_stays_blank_and_counts_as_an_answer_of_its_own() -> None:
    told, done = only(people(*[("doctorate", None, "", None, "", None)] * 4), k=4)
    assert told.iloc[0, 2:].tolist() == ["doctorate", "", "", "", "", ""]
    assert done.columns["country"] == NOBODY
    told, done = only(people(*[ALIKE] * 3, (*ALIKE[:4], "", 3.0)), k=2)
    assert set(told["country"]) == {WITHHELD}, "a blank among countries would be somebody's alone"


def test_each_role_is_generalised_by_itself() -> None:
    both = pd.concat([people(*[ALIKE] * 5), people(ALIKE, (*ALIKE[:2], "History", *ALIKE[3:]), role="writer")])
    told, done = generalise(both.reset_index(drop=True), k=2)
    assert [(each.role, each.columns["discipline"]) for each in done] == [("judge", AS_GIVEN), ("writer", WITHHELD)]
    assert told["discipline"].tolist() == ["Law"] * 5 + [WITHHELD] * 2


def test_of_fewer_than_k_people_nothing_is_told() -> None:
    told, done = only(people(ALIKE, ALIKE), k=3)
    assert done.is_withheld
    assert set(told[list(STEPS)].to_numpy().ravel()) == {WITHHELD}


def test_a_release_without_people_has_no_roles() -> None:
    told, done = generalise(people(), k=5)
    assert told.empty
    assert done == ()


def test_a_k_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="from 1, not 0"):
        generalise(people(ALIKE), k=0)


answers_of_somebody = st.tuples(
    st.sampled_from(["doctorate", "master", ""]),
    st.sampled_from([True, False, None]),
    st.sampled_from(["Law", "History", "Ethics"]),
    st.one_of(st.none(), st.integers(3, 45)),
    st.sampled_from(["France", "Kenya", "Germany", "Atlantis", ""]),
    st.one_of(st.none(), st.integers(4, 20).map(lambda quarters: quarters / 4)),
)


@examples(40)
@given(st.lists(answers_of_somebody, min_size=1, max_size=25), st.integers(1, 6))
def test_every_combination_holds_k_people_whatever_they_said_and_in_whatever_order(
    answers: list[Person], k: int
) -> None:
    participants = people(*answers)
    told, done = only(participants, k)
    smallest = told.groupby(list(STEPS)).size().min()
    assert done.smallest_group == smallest
    assert smallest >= k or (len(answers) < k and done.is_withheld)
    turned, again = generalise(participants.iloc[::-1].reset_index(drop=True), k=k)
    assert again == (done,)
    assert turned.iloc[::-1].reset_index(drop=True).equals(told)
