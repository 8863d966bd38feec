"""Life cycles as transition tables: the one place that says what may follow what.

A table is data. Services ask it for the next state, the database constrains states to it, and the diagrams in
`docs/reference/life-cycles.md` are generated from it.
"""

from dataclasses import dataclass

from annotation.platform.core.errors import Refused


@dataclass(frozen=True)
class Transition:
    verb: str
    source: str
    target: str
    meaning: str


@dataclass(frozen=True)
class Lifecycle:
    """States in their usual order, the first one initial, and the transitions between them."""

    subject: str
    states: tuple[str, ...]
    transitions: tuple[Transition, ...]

    @property
    def initial(self) -> str:
        return self.states[0]

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(state, state.replace("_", " ")) for state in self.states]

    def verbs(self, state: str) -> tuple[str, ...]:
        """Verbs that apply in `state`."""
        return tuple(t.verb for t in self.transitions if t.source == state)

    def allows(self, verb: str, state: str) -> bool:
        return verb in self.verbs(state)

    def after(self, verb: str, state: str) -> str:
        """The state that follows `state` by `verb`; raises `Refused` where the table has no such row."""
        for transition in self.transitions:
            if transition.verb == verb and transition.source == state:
                return transition.target
        sources = sorted({t.source for t in self.transitions if t.verb == verb})
        if not sources:
            raise ValueError(f"{self.subject} knows no verb {verb!r}")
        wanted = " or ".join(f"“{source}”" for source in sources)
        raise Refused(f"{self.subject} is “{state}”: “{verb.replace('_', ' ')}” applies only when it is {wanted}.")


STUDY = Lifecycle(
    "The study",
    ("design", "writing", "assembling", "judging", "closed", "unblinded", "released"),
    (
        Transition("lock_design", "design", "writing", "the design and the seed commitment are fixed"),
        Transition("close_writing", "writing", "assembling", "no more text is written"),
        Transition("resume_writing", "assembling", "writing", "a missing answer is asked for"),
        Transition("open_judging", "assembling", "judging", "every needed text is admitted, items are blinded"),
        Transition("close", "judging", "closed", "collection ends, the data are frozen and hashed"),
        Transition("unblind", "closed", "unblinded", "two researchers agreed, the seed is revealed"),
        Transition("release", "unblinded", "released", "the data set is published"),
    ),
)

WRITING = Lifecycle(
    "The assignment",
    ("assigned", "writing", "submitted", "lapsed", "cancelled"),
    (
        Transition("start", "assigned", "writing", "the writer opens it, the clock runs"),
        Transition("submit", "writing", "submitted", "the writer, or the clock, hands in the last saved text"),
        Transition("lapse", "writing", "lapsed", "time ran out and nothing had been written"),
        Transition("use_late_text", "lapsed", "submitted", "the coordinator takes a text that came late"),
        Transition("reopen", "submitted", "assigned", "the coordinator gives it back; its text stays"),
        Transition("reopen", "lapsed", "assigned", "the coordinator gives it back"),
        Transition("cancel", "assigned", "cancelled", "the coordinator withdraws the assignment"),
        Transition("cancel", "writing", "cancelled", "the coordinator ends an answer that is stalled"),
        Transition("cancel", "lapsed", "cancelled", "the coordinator withdraws the assignment"),
    ),
)

JUDGING = Lifecycle(
    "The item",
    ("assigned", "open", "lapsed", "submitted", "cancelled"),
    (
        Transition("open", "assigned", "open", "the judge opens it"),
        Transition("lapse", "open", "lapsed", "nothing was saved for as long as its lease"),
        Transition("take_up", "lapsed", "open", "the judge goes on with it; nothing was lost"),
        Transition("submit", "open", "submitted", "every score is given and confirmed"),
        Transition("reopen", "submitted", "open", "the judge takes the last item back within the grace period"),
        Transition("cancel", "assigned", "cancelled", "the coordinator withdraws the assignment"),
    ),
)

STIMULUS = Lifecycle(
    "The text",
    ("received", "admitted", "quarantined", "rejected", "withdrawn"),
    (
        Transition("admit", "received", "admitted", "it is read, and nothing is found that gives the source away"),
        Transition("hold", "received", "quarantined", "something may give the source away, or it cannot be read"),
        Transition("reject", "received", "rejected", "its answer is given back to the writer"),
        Transition("withdraw", "received", "withdrawn", "its writer withdrew consent"),
        Transition("read_again", "quarantined", "received", "a coordinator has a text read that could not be"),
        Transition("clear", "quarantined", "admitted", "a coordinator finds nothing that gives the source away"),
        Transition("edit", "quarantined", "admitted", "a coordinator takes out what gives the source away"),
        Transition(
            "hold", "admitted", "quarantined", "a model that read it suspects it, or a clearance is withdrawn"
        ),
        Transition("reject", "quarantined", "rejected", "it is not shown; another text is asked for"),
        Transition("reject", "admitted", "rejected", "it is not shown; another text is asked for"),
        Transition("withdraw", "admitted", "withdrawn", "its writer withdrew consent"),
        Transition("withdraw", "quarantined", "withdrawn", "its writer withdrew consent"),
    ),
)
