import pytest

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import JUDGING, STIMULUS, STUDY, WRITING, Lifecycle, Transition
from generation.calls.core.lifecycles import CALL, RUN

ALL = pytest.mark.parametrize(
    "cycle", [STUDY, WRITING, JUDGING, STIMULUS, RUN, CALL], ids=lambda cycle: cycle.subject
)

DOOR = Lifecycle(
    "The door",
    ("shut", "open", "off_its_hinges"),
    (
        Transition("open", "shut", "open", "somebody comes"),
        Transition("shut", "open", "shut", "somebody goes"),
        Transition("take_down", "open", "off_its_hinges", "it is to be painted"),
        Transition("take_down", "shut", "off_its_hinges", "it is to be painted"),
    ),
)


def reached(cycle: Lifecycle) -> set[str]:
    # A text begins in quarantine where the leak scan found something.
    states = {cycle.initial, "quarantined"} if cycle is STIMULUS else {cycle.initial}
    while further := {t.target for t in cycle.transitions if t.source in states} - states:
        states |= further
    return states


@ALL
def test_every_state_of_a_table_can_be_reached(cycle: Lifecycle) -> None:
    assert reached(cycle) == set(cycle.states)


@ALL
def test_a_table_names_only_its_own_states_and_says_what_each_step_means(cycle: Lifecycle) -> None:
    for step in cycle.transitions:
        assert {step.source, step.target} <= set(cycle.states), step
        assert step.source != step.target, step
        assert step.meaning, step


@ALL
def test_a_verb_leads_to_one_state_only(cycle: Lifecycle) -> None:
    steps = [(step.source, step.verb) for step in cycle.transitions]
    assert len(steps) == len(set(steps))


@ALL
def test_every_state_fits_the_column_that_keeps_it(cycle: Lifecycle) -> None:
    assert max(len(state) for state in cycle.states) <= 12


@pytest.mark.parametrize(
    ("cycle", "verbs", "last"),
    [
        (
            STUDY,
            "lock_design close_writing resume_writing close_writing open_judging close unblind release",
            "released",
        ),
        (WRITING, "start submit", "submitted"),
        (WRITING, "start lapse cancel", "cancelled"),
        (JUDGING, "open submit reopen submit", "submitted"),
        (STIMULUS, "reject", "rejected"),
        (RUN, "plan start stop start finish retry finish", "finished"),
        (CALL, "fail retry accept", "accepted"),
    ],
)
def test_a_way_through_the_table_ends_where_it_should(cycle: Lifecycle, verbs: str, last: str) -> None:
    state = cycle.initial
    for verb in verbs.split():
        assert cycle.allows(verb, state)
        state = cycle.after(verb, state)
    assert state == last


@pytest.mark.parametrize(
    ("cycle", "verb", "state"),
    [
        (STUDY, "unblind", "judging"),
        (STUDY, "open_judging", "writing"),
        (STUDY, "lock_design", "writing"),
        (WRITING, "submit", "submitted"),
        (WRITING, "start", "lapsed"),
        (JUDGING, "submit", "assigned"),
        (STIMULUS, "clear", "rejected"),
        (CALL, "accept", "accepted"),
    ],
)
def test_steps_that_would_break_a_study_are_not_in_the_table(cycle: Lifecycle, verb: str, state: str) -> None:
    assert not cycle.allows(verb, state)
    with pytest.raises(Refused):
        cycle.after(verb, state)


@pytest.mark.parametrize(
    ("verb", "state", "message"),
    [
        ("open", "open", "The door is “open”: “open” applies only when it is “shut”."),
        (
            "take_down",
            "off_its_hinges",
            "The door is “off_its_hinges”: “take down” applies only when it is “open” or “shut”.",
        ),
    ],
)
def test_a_refusal_says_when_the_step_would_apply(verb: str, state: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        DOOR.after(verb, state)
    assert str(refused.value) == message


def test_a_form_offers_states_in_words_and_verbs_in_the_tables_order() -> None:
    assert DOOR.choices == [("shut", "shut"), ("open", "open"), ("off_its_hinges", "off its hinges")]
    assert DOOR.verbs("open") == ("shut", "take_down")
    assert DOOR.verbs("off_its_hinges") == ()
