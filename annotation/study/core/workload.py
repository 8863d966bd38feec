"""What a design asks of people and models, before anybody is invited: work, hours, calls and money."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from math import ceil, comb
from typing import Final, Protocol

from annotation.platform.core.phrases import counted

PERSPECTIVES: Final = 10  # of the panel, each taken by every one of its models
NO_PLACE_FOR_A_WEAK_ANSWER: Final = (
    "A deliberately weak answer takes the place of a model answer, and items show no model answers."
)
READING_SPEED: Final = 240  # words a minute, silent reading of English prose
WORKING_DAY: Final = 480  # minutes
COPYING_SPEED: Final = 40  # words a minute, typing a text that is there already
MAX_LENGTH_RATIO: Final = 1.25  # times the words aimed at, which models may be told to stay under
TOKENS_OF_A_WORD: Final = 2  # of English, with a margin


@dataclass(frozen=True)
class Concern:
    """What may not be meant, in words; `about` names the parameters it comes of, where they alone decide it."""

    says: str
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.says


class AnswersShown(Protocol):
    """Which answers a study's items show."""

    @property
    def answers_per_item(self) -> int: ...

    human_answers_per_item: int
    model_answers_per_item: int
    model_targets_expected: int
    quality_floor_prompts: int
    source_attribution_prompts: int
    answers_per_target_in_attribution: int


class Study(AnswersShown, Protocol):
    """A study, saved or not. `writing_minutes` is `None` without a limit.

    `answers_per_prompt` counts where writers share the prompts; where every writer answers every prompt there are
    as many as writers.
    """

    @property
    def sets_rotate(self) -> bool: ...

    answers_per_prompt: int
    every_writer_answers_every_prompt: bool
    writing_minutes: int | None
    target_words: int
    model_word_limit: int
    output_token_cap: int
    ratings_per_prompt: int
    minutes_per_item: int
    panel_judge_models: int
    fee_per_answer: Decimal
    fee_per_item: Decimal


@dataclass(frozen=True)
class Counts:
    prompts: int
    writers: int
    judges: int


@dataclass(frozen=True)
class Design:
    """A study with the prompts and people it has or will have.

    `scores_per_answer` is the number of dimensions, or 1 where judges give places.
    """

    study: Study
    counts: Counts
    scores_per_answer: int

    @property
    def answers_each(self) -> int:
        """Human answers that each prompt collects."""
        everyone = self.study.every_writer_answers_every_prompt
        return self.counts.writers if everyone else self.study.answers_per_prompt

    @property
    def words_per_item(self) -> int:
        return self.study.answers_per_item * self.study.target_words

    @property
    def sets_possible(self) -> int:
        """Different sets of human answers that a prompt can give."""
        return comb(self.answers_each, self.study.human_answers_per_item)


@dataclass(frozen=True)
class Share:
    """`total` pieces of work, shared among `people` as evenly as whole pieces go."""

    people: int
    total: int
    minutes_each: int | None
    fee_each: Decimal

    @property
    def most(self) -> int:
        """Pieces of those who have most; all of them where there is nobody yet."""
        return ceil(self.total / max(1, self.people))

    @property
    def least(self) -> int:
        return self.total // max(1, self.people)

    @property
    def minutes(self) -> int | None:
        return None if self.minutes_each is None else self.minutes_each * self.total

    @property
    def most_minutes(self) -> int | None:
        return None if self.minutes_each is None else self.minutes_each * self.most

    @property
    def fees(self) -> Decimal:
        return self.fee_each * self.total

    @property
    def most_fees(self) -> Decimal:
        return self.fee_each * self.most


@dataclass(frozen=True)
class Calls:
    """Requests to models, each answered once: ordinary answers, weak ones, those of prompts without human answers.

    `panel` counts the scores of every answer, a person's or a model's, from every perspective by every model.
    """

    answers: int
    weak: int
    attribution: int
    panel: int

    @property
    def texts(self) -> int:
        return self.answers + self.weak + self.attribution


@dataclass(frozen=True)
class Workload:
    """Everything that follows; `warnings` say what does not fit together or is a lot."""

    writing: Share
    judging: Share
    words_written: int
    answers_per_item: int
    words_per_item: int
    reading_minutes: int
    scores: int
    sets_possible: int
    sets_needed: int
    calls: Calls
    warnings: tuple[Concern, ...]

    @property
    def fees(self) -> Decimal:
        return self.writing.fees + self.judging.fees


def workload(design: Design) -> Workload:
    """Return what `design` asks for."""
    study, counts = design.study, design.counts
    answers = counts.prompts * design.answers_each
    items = counts.prompts * study.ratings_per_prompt
    writing = Share(counts.writers, answers, study.writing_minutes, study.fee_per_answer)
    judging = Share(counts.judges, items, study.minutes_per_item, study.fee_per_item)
    sets_needed = study.ratings_per_prompt if study.sets_rotate else 1
    return Workload(
        writing=writing,
        judging=judging,
        words_written=answers * study.target_words,
        answers_per_item=study.answers_per_item,
        words_per_item=design.words_per_item,
        reading_minutes=_reading_minutes(design),
        scores=items * study.answers_per_item * design.scores_per_answer,
        sets_possible=design.sets_possible,
        sets_needed=sets_needed if study.human_answers_per_item else 0,
        calls=_calls(design, human_answers=answers),
        warnings=(
            *(Concern(said) for said in _contradictions(design)),
            *lengths_apart(study),
            *_loads(design, writing, judging),
        ),
    )


def in_hours(minutes: int) -> str:
    """A length of time in hours and minutes, such as "45 min", "7 h 30 min" or "1,000 h", kept on one line."""
    hours, rest = divmod(minutes, 60)
    parts = [f"{hours:,}\u00a0h"] * (hours > 0) + [f"{rest}\u00a0min"] * (rest > 0 or not hours)
    return "\u00a0".join(parts)


def _reading_minutes(design: Design) -> int:
    return ceil(design.words_per_item / READING_SPEED)


def _calls(design: Design, *, human_answers: int) -> Calls:
    study, counts = design.study, design.counts
    attribution = min(study.source_attribution_prompts, counts.prompts)
    answers = (counts.prompts - attribution) * study.model_targets_expected
    weak = min(study.quality_floor_prompts, counts.prompts - attribution)
    only_models = attribution * study.model_targets_expected * study.answers_per_target_in_attribution
    scored = human_answers + answers + weak + only_models
    return Calls(answers, weak, only_models, scored * PERSPECTIVES * study.panel_judge_models)


def prompts_needed(calibration: int, there: int) -> str:
    """Why `there` prompts are too few for a study of which `calibration` serve to check its judges."""
    has = f"It has {counted(there, 'prompt')} so far." if there else "It has none so far."
    if not calibration:
        return f"The study needs at least 1 prompt. {has}"
    taken = counted(calibration, "prompt")
    return f"Calibration takes {taken}, so the study needs at least {calibration + 1}. {has}"


def _contradictions(design: Design) -> Iterator[str]:
    """What stands in the way of locking the design, of assigning work or of opening judging."""
    study, counts = design.study, design.counts
    calibration = study.quality_floor_prompts + study.source_attribution_prompts
    if counts.prompts <= calibration:
        yield prompts_needed(calibration, counts.prompts)
    if counts.writers < study.answers_per_prompt and not study.every_writer_answers_every_prompt:
        yield _too_few(study.answers_per_prompt, "answer", counts.writers, "writer")
    if study.every_writer_answers_every_prompt and counts.writers != study.answers_per_prompt:
        give = "gives" if counts.writers == 1 else "give"
        yield (
            f"{counted(counts.writers, 'writer')} {give} {counted(counts.writers, 'answer')} to each prompt; "
            f"the design says {study.answers_per_prompt}."
        )
    if counts.judges < study.ratings_per_prompt:
        yield _too_few(study.ratings_per_prompt, "rating", counts.judges, "judge")
    yield from _human_sets(design)
    yield from model_contradictions(study)


def _too_few(wanted: int, work: str, people: int, person: str) -> str:
    needs = "needs" if wanted == 1 else "need"
    people_needed = f"at least {counted(wanted, person)}; there {_are(people, person)}"
    return f"{counted(wanted, work)} of each prompt {needs} {people_needed}."


def _are(number: int, noun: str) -> str:
    return f"{'is' if number == 1 else 'are'} {counted(number, noun)}"


def _human_sets(design: Design) -> Iterator[str]:
    study = design.study
    size, answers, wanted = study.human_answers_per_item, design.answers_each, study.ratings_per_prompt
    if answers < size:
        yield f"An item shows {counted(size, 'human answer')}; each prompt collects {answers}."
    elif size and study.sets_rotate and design.sets_possible < wanted:
        enough = next(number for number in count(answers + 1) if comb(number, size) >= wanted)
        give = "gives" if answers == 1 else "give"
        yield (
            f"{counted(answers, 'answer')} of each prompt {give} {counted(design.sets_possible, 'set')} of {size}; "
            f"{counted(wanted, 'rating')} asked, each with a set of its own. {enough} answers would be enough."
        )


def model_contradictions(study: AnswersShown) -> Iterator[str]:
    """Yield what stands in the way of opening judging, however many answers models give."""
    models, shown = study.model_targets_expected, study.model_answers_per_item
    if study.quality_floor_prompts and not shown:
        yield NO_PLACE_FOR_A_WEAK_ANSWER
    if shown > models:
        yield (
            f"An item shows {counted(shown, 'model answer')}, each of another model; "
            f"{counted(models, 'model')} {'is' if models == 1 else 'are'} expected."
        )
    each, wanted = study.answers_per_target_in_attribution, study.answers_per_item
    if not study.source_attribution_prompts:
        return
    if wanted % each:
        yield f"Where all {wanted} answers are models’, they cannot be {each} of each model: that does not divide."
    elif wanted > each * models:
        yield (
            f"Where all {wanted} answers are models’, {each} of each, {wanted // each} models are needed; "
            f"{models} expected."
        )


def _loads(design: Design, writing: Share, judging: Share) -> Iterator[Concern]:
    study, reading = design.study, _reading_minutes(design)
    if reading > study.minutes_per_item:
        yield Concern(
            f"An item has about {design.words_per_item:,} words, {reading} minutes of reading alone; "
            f"{counted(study.minutes_per_item, 'minute')} are planned for it.",
            ("minutes_per_item",),
        )
    minutes = study.writing_minutes
    if writing.total and minutes and study.target_words > COPYING_SPEED * minutes:
        yield Concern(
            f"Writers have {counted(minutes, 'minute')} for about {study.target_words:,} words: more than the "
            f"{COPYING_SPEED} words a minute at which people copy a text.",
            ("writing_minutes", "target_words"),
        )
    for share, person, work in ((writing, "writer", "answer"), (judging, "judge", "item")):
        if share.people and share.most_minutes and share.most_minutes > WORKING_DAY:
            have = f"{counted(share.most, work)}, {in_hours(share.most_minutes)} of work"
            yield Concern(f"A {person} has up to {have}: more than a day. More {person}s would have less each.")


def lengths_apart(study: Study) -> Iterator[Concern]:
    """Yield where what models are told of length is not what writers are told, or cannot be followed.

    Nothing where no model is asked: for no place in an item, no weak answer and no prompt that models alone answer.
    """
    if not (study.model_answers_per_item or study.quality_floor_prompts or study.source_attribution_prompts):
        return
    target, limit = study.target_words, study.model_word_limit
    names = ("target_words", "model_word_limit")
    if limit < target:
        said = f"Models are told to aim at about {target:,} words and to stay under {limit:,}: they cannot do both."
        yield Concern(said, names)
    elif limit > MAX_LENGTH_RATIO * target and study.human_answers_per_item and study.model_answers_per_item:
        yield Concern(
            f"Writers aim at {target:,} words; models are told to stay under {limit:,}. Their length alone could "
            "tell judges which answers are models’.",
            names,
        )
    if study.output_token_cap < TOKENS_OF_A_WORD * target:
        yield Concern(
            f"{study.output_token_cap:,} tokens, with all that a model thinks, are few for {target:,} words: "
            "answers would be cut.",
            ("target_words", "output_token_cap"),
        )
