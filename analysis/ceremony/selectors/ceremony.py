"""What the researcher's pages show: how far collection is, what closing would leave out, and what was promised."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from analysis.ceremony.models import UnblindingRequest
from analysis.frozen.models import Freeze
from annotation.benchmarks.selectors.progress import left_to_audit
from annotation.coordination.core.checklist import Duty
from annotation.coordination.selectors.coordination import (
    Progress,
    Step,
    guessing_progress,
    judging_progress,
    steps,
)
from annotation.coordination.selectors.progress import Phase, Piece, Work, work_of
from annotation.judging.selectors.reopening import OpenReturn, open_returns
from annotation.judging.selectors.requested_ratings import surplus
from annotation.platform.core.phrases import counted
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from generation.model_steps import model_steps


@dataclass(frozen=True)
class CeremonyPage:
    """`surplus` counts judgments that are kept and do not count: another one had come first in their place.

    `request` is the newest one.
    """

    steps: tuple[Step, ...]
    judging: Progress
    surplus: int
    frozen: Freeze | None
    request: UnblindingRequest | None


def ceremony_page(study: Study) -> CeremonyPage:
    return CeremonyPage(
        steps=steps(study),
        judging=judging_progress(study),
        surplus=len(surplus(study)),
        frozen=freeze_of(study),
        request=UnblindingRequest.objects.filter(study=study)
        .select_related("study", "requested_by", "decided_by")
        .first(),
    )


def freeze_of(study: Study) -> Freeze | None:
    return Freeze.objects.filter(study=study).select_related("frozen_by").first()


@dataclass(frozen=True)
class Seed:
    """The commitment to a study's seed, and the seed itself, in hexadecimal digits, once it is revealed."""

    commitment: str
    revealed: str


def seed_of(study: Study) -> Seed | None:
    """`None` before the design is locked."""
    kept = StudySeed.objects.filter(study=study).first()
    if kept is None:
        return None
    return Seed(kept.commitment, bytes(kept.seed).hex() if kept.revealed_at else "")


# -- what closing would leave out ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Missing:
    """A judge or prompt with the items that are not submitted: the other's name and how far each is.

    `obstacle` says why a judge cannot begin, if they cannot.
    """

    name: str
    items: tuple[tuple[str, str], ...]
    of: int
    obstacle: str = ""


@dataclass(frozen=True)
class Closing:
    """What is not submitted, by judge and by prompt; `of` are all items of each that are wanted.

    `guessing` counts judges: those who have said who they think wrote the answers. `returns` are of judges who were
    promised some time to take back what they submitted last. `of_models` are the steps that models take; they may
    go on with those until the study is published. `of_audits` says in words what is left of benchmarks.
    """

    study: Study
    judging: Progress
    guessing: Progress
    returns: tuple[OpenReturn, ...]
    by_judge: tuple[Missing, ...]
    by_prompt: tuple[Missing, ...]
    of_models: tuple[Duty, ...]
    of_audits: tuple[str, ...] = ()

    @property
    def costs(self) -> tuple[str, ...]:
        """What closing now would take away or leave out, in words."""
        missing, guessing, returns = self.judging.missing, self.guessing.missing, len(self.returns)
        guessed = "has" if guessing == 1 else "have"
        by_people = tuple(
            words
            for number, words in (
                (missing, f"{counted(missing, 'item')} not submitted"),
                (guessing, f"{counted(guessing, 'judge')} {guessed} not guessed who wrote the answers"),
                (returns, f"{counted(returns, 'judge')} may still take the last item back"),
            )
            if number
        )
        of_models = () if self.study.has_judging else self._of_models_alone
        return (*by_people, *self.of_audits, *of_models)

    @property
    def _of_models_alone(self) -> tuple[str, ...]:
        """What models were to give by now, where nobody judges."""
        amounts = [step.amount for step in self.of_models if step.begins == "judging"]
        return tuple(amount.missing for amount in amounts if amount and amount.missing)


def closing(study: Study) -> Closing:
    work = work_of(study)[Phase.JUDGING]
    return Closing(
        study=study,
        of_models=tuple(step for step in model_steps(study) if step.amount),
        judging=judging_progress(study),
        guessing=guessing_progress(study),
        returns=tuple(open_returns(study, now=database_now())),
        by_judge=tuple(
            replace(judge, obstacle=work.members[judge.name].obstacle)
            for judge in _missing(work, lambda piece: piece.person, lambda piece: piece.prompt)
        ),
        by_prompt=_missing(work, lambda piece: piece.prompt, lambda piece: piece.person),
        of_audits=tuple(left_to_audit(study)),
    )


def _missing(work: Work, name: Callable[[Piece], str], other: Callable[[Piece], str]) -> tuple[Missing, ...]:
    wanted = _by_name((holders[-1] for holders in work.wanted), name)
    return tuple(
        Missing(key, tuple(sorted((other(piece), piece.stage) for piece in left)), of=len(wanted[key]))
        for key, left in sorted(_by_name(work.left, name).items())
    )


def _by_name(pieces: Iterable[Piece], name: Callable[[Piece], str]) -> dict[str, list[Piece]]:
    found: defaultdict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        found[name(piece)].append(piece)
    return found
