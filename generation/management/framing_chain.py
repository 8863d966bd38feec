"""The steps of an experiment under pressure, each of which goes on where it was left."""

from collections.abc import Sequence
from dataclasses import dataclass

from generation.calls.models import GenerationRun
from generation.framing.models import FramingSet
from generation.framing.selectors.framings import Framed, framed_prompts
from generation.framing.services.answers import plan_answers
from generation.framing.services.runs import plan
from generation.framing.services.scores import plan_scores
from generation.management.approved_runs import ApprovedRuns

Purpose = GenerationRun.Purpose


@dataclass(kw_only=True)
class FramingChain(ApprovedRuns):
    """The chain from a set's prompts to the panel's scores. Answers are asked for with the instruction about the
    length where they are `instructed`, else by the framings alone; those to the prompts themselves `again`, a
    second time; `shows` is what judges read above an answer.
    """

    framing_set: FramingSet
    instructed: bool = True
    again: bool = False
    shows: str = "framing"

    def write(self) -> None:
        self.have_done(plan(framing_set=self.framing_set, purpose=Purpose.FRAMING, by=self.by), "Rewriting")

    def check(self) -> None:
        """Have framings checked by a model, where the set needs that; people check on the set's pages."""
        if "model" in self.framing_set.needs:
            planned = plan(framing_set=self.framing_set, purpose=Purpose.FRAMING_CHECK, by=self.by)
            self.have_done(planned, "Checking")

    def waiting(self) -> Sequence[Framed]:
        """The prompts whose framings nobody has decided about yet."""
        return [each for each in framed_prompts(self.framing_set) if each.standing.state == "waiting"]

    def answer(self) -> None:
        """One of both ways to ask; the plan of the other is withdrawn."""
        for planned in plan_answers(framing_set=self.framing_set, by=self.by, again=self.again):
            if planned.materials["only"]["instructed"] == self.instructed:
                way = {"set": self.framing_set.pk, "instructed": self.instructed}
                self.have_done(planned, "Answering", of=way)
            else:
                self.withdraw(planned)

    def score(self) -> None:
        planned = plan_scores(
            framing_set=self.framing_set, instructed=self.instructed, shows=self.shows, by=self.by
        )
        self.have_done(planned, "Scoring")
