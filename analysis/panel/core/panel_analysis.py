"""The results of the panel's replies: composites of answers, beside their sources and people's ranks."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import pandas as pd

from analysis.data.core.framed import REASONS
from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD, standard_only
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Summary
from analysis.data.core.study_tables import PANEL_LEADING, PANEL_TRAILING, StudyTables
from analysis.outcomes.core.outcomes import DimensionOutcome
from analysis.panel.core.panel_effects import length_effects, self_family_effects
from analysis.panel.core.panel_raters import PanelAnswer, PanelRaters, panel_agreement, panel_raters
from analysis.panel.core.panel_report import (
    MODES,
    Frontier,
    Mention,
    PanelJudge,
    PanelOutcomes,
    PanelReport,
    PanelSource,
    Validity,
)
from analysis.panel.core.panel_validity import validity
from analysis.uncertainty.core.clustered import clustered_summary
from analysis.uncertainty.core.intervals import SHARE, UNBOUNDED, of_differences, of_scores, or_exact

PRESENTATIONS: Final = ("alone", "as_judged")
# What people judge too, and what is for the panel alone.
JUDGED: Final = (HUMAN, MODEL)
MAXIMUM: Final = "maximum"


def panel_reports(tables: StudyTables, frame: pd.DataFrame, parameters: Parameters) -> tuple[PanelReport, ...]:
    """One for each way in which the panel scored answers to ordinary prompts.

    An answer's composite is the unweighted mean of its replies, of which each is an overall score or the mean of
    its dimensions. `frame` has people's judgments with the ranks that count; shared ranks are mid-ranks, but in the
    mode `paper` as they stand.
    """
    asked, is_alone = _asked(tables, frame, parameters)
    return tuple(each.report(is_alone=is_alone) for each in asked)


def raters_of_panel(tables: StudyTables, frame: pd.DataFrame, parameters: Parameters) -> tuple[PanelRaters, ...]:
    """Who the panel consists of, for each of the same ways; arguments as of `panel_reports`."""
    return tuple(each.raters() for each in _asked(tables, frame, parameters)[0])


def _asked(tables: StudyTables, frame: pd.DataFrame, parameters: Parameters) -> "tuple[list[_Asked], bool]":
    """Each way of asking with any replies; and whether nobody but the panel has judged.

    A file of a panel's scores alone is analysed as its judge models' judgments: these are nobody else's.
    """
    if tables.panel.empty:
        return [], False
    people = frame[~frame["judge_id"].isin(set(tables.panel["judge_model"]))]
    answers = _answers(tables).merge(_mean_ranks(people, parameters), on="response_id", how="left")
    asked = set(zip(tables.panel["mode"], tables.panel["presentation"], strict=True))
    ways = [(mode, shown) for mode in MODES for shown in PRESENTATIONS if (mode, shown) in asked]
    found = [_Asked.of(tables, answers, mode, shown, parameters) for mode, shown in ways]
    return [each for each in found if len(each.replies)], people.empty and not frame.empty


def _answers(tables: StudyTables) -> pd.DataFrame:
    """Answers to ordinary prompts, without the weak ones; `source` and `family` of people's are `HUMAN`."""
    answers = tables.answers.merge(tables.prompts[["prompt_id", "domain", "item_type"]], on="prompt_id")
    answers = answers[(answers["item_type"] == STANDARD) & answers["arm"].isin([*JUDGED, MAXIMUM])]
    of_people = answers["arm"] == HUMAN
    answers = answers.assign(**{name: answers[name].mask(of_people, HUMAN) for name in ("source", "family")})
    return answers[["response_id", "prompt_id", "domain", "arm", "source", "family", "words"]]


def _mean_ranks(frame: pd.DataFrame, parameters: Parameters) -> "pd.Series[float]":
    """People's, by answer."""
    standard = standard_only(frame)
    ranks = standard["rank"]
    if parameters.mode != "paper":
        ranks = standard.groupby(["prompt_id", "judge_id"])["rank"].rank()
    return ranks.groupby(standard["true_id"].rename("response_id")).mean().rename("mean_rank")


@dataclass(frozen=True)
class _Asked:
    """A way of asking. `replies` have a `value` and dimensions, NaN where they do not count; `composites` a row
    for every answer that the panel is to score, with how many replies it was given and should be.
    """

    mode: str
    presentation: str
    dimensions: list[str]
    replies: pd.DataFrame
    composites: pd.DataFrame
    parameters: Parameters

    @classmethod
    def of(
        cls, tables: StudyTables, answers: pd.DataFrame, mode: str, presentation: str, parameters: Parameters
    ) -> Self:
        panel, expected = (
            table[(table["mode"] == mode) & (table["presentation"] == presentation)]
            for table in (tables.panel, tables.panel_expected)
        )
        replies = panel.merge(answers, on="response_id")
        columns = [name for name in panel.columns if name not in (*PANEL_LEADING, *PANEL_TRAILING, REASONS)]
        dimensions = [name for name in columns if replies[name].notna().any()]
        figures = replies[dimensions].assign(value=replies["score"].fillna(replies[dimensions].mean(axis=1)))
        if not parameters.counts_abstentions:
            figures = figures.where(replies["abstained"] != 1)
        replies = replies.assign(**figures)
        wanted = answers.merge(expected[["response_id", "expected"]], on="response_id")
        composites = wanted.merge(_tally(replies), on="response_id", how="left")
        return cls(mode, presentation, dimensions, replies, composites, parameters)

    def report(self, *, is_alone: bool) -> PanelReport:
        domains = sorted(set(self.composites["domain"]) - {""})
        return PanelReport(
            mode=self.mode,
            presentation=self.presentation,
            outcomes={
                WHOLE: self._outcomes(self.composites),
                **{
                    domain: self._outcomes(self.composites[self.composites["domain"] == domain])
                    for domain in domains
                },
            },
            judges=tuple(self._judges()),
            frontier=tuple(self._frontier()),
            mentions=tuple(self._mentions()) if self.mode == "inferred" else (),
            is_alone=is_alone,
        )

    def raters(self) -> PanelRaters:
        ordinary = self.composites[self.composites["arm"].isin(JUDGED)]
        return PanelRaters(
            mode=self.mode,
            presentation=self.presentation,
            agreement=panel_agreement(self.replies, self.parameters),
            raters=tuple(panel_raters(self.replies, self.parameters)),
            answers=tuple(self._both()),
            given=int(ordinary["given"].sum()),
            expected=int(ordinary["expected"].sum()),
        )

    def _both(self) -> Iterator[PanelAnswer]:
        """Answers that people ranked, as the panel scored them."""
        ranked = self.composites[self.composites["mean_rank"].notna() & self.composites["composite"].notna()]
        columns = ["prompt_id", "response_id", "source", "composite", "mean_rank"]
        for row in ranked.sort_values(columns[:2])[columns].itertuples(index=False, name=None):
            yield PanelAnswer(*row)

    def _outcomes(self, composites: pd.DataFrame) -> PanelOutcomes:
        return PanelOutcomes(
            sources=tuple(self._sources(composites)),
            card=tuple(self._card(composites)),
            validity=self._validity(composites),
        )

    def _sources(self, composites: pd.DataFrame) -> Iterator[PanelSource]:
        """Sources by name, answers at maximum capability after the ordinary ones."""
        for (source, is_maximum), part in composites.groupby(["source", composites["arm"] == MAXIMUM], sort=True):
            yield PanelSource(
                source=str(source),
                is_maximum=bool(is_maximum),
                score=self._summary("panel", part, "composite", bounds=self._bounds),
                given=int(part["given"].sum()),
                expected=int(part["expected"].sum()),
                abstentions=int(part["abstentions"].sum()),
            )

    def _card(self, composites: pd.DataFrame) -> Iterator[DimensionOutcome]:
        """Nothing where the panel was not asked by dimension."""
        replies = self._judged[self._judged["response_id"].isin(composites["response_id"])]
        answers = replies.groupby(["source", "prompt_id", "response_id"], as_index=False)[self.dimensions].mean()
        for source, part in answers.groupby("source", sort=True):
            for dimension in self.dimensions:
                score = self._summary(dimension, part, dimension, bounds=self._bounds)
                yield DimensionOutcome(str(source), dimension, score)

    def _validity(self, composites: pd.DataFrame) -> Validity:
        judged = composites[composites["arm"].isin(JUDGED)]
        return validity(
            judged.assign(panel=judged["composite"], people=-judged["mean_rank"]),
            draws=self.parameters.draws,
            level=self.parameters.level,
            seed=self.parameters.seed,
        )

    def _judges(self) -> Iterator[PanelJudge]:
        """The whole panel first."""
        answer = ["prompt_id", "response_id", "family", "words", "judge_model", "judge_family"]
        means = self._judged.groupby(answer)["value"].mean().dropna()
        if means.empty:
            return
        scored = means.rename("score").reset_index().rename(columns={"judge_model": "judge"})
        whole, *each = length_effects(scored, level=self.parameters.level)
        yield PanelJudge(whole.judge, None, whole)
        leads = self_family_effects(scored, level=self.parameters.level, scale=self._bounds)
        for own, length in zip(leads, each, strict=True):
            yield PanelJudge(own.judge, own.lead, length)

    def _frontier(self) -> Iterator[Frontier]:
        by_prompt = self.composites.groupby(["source", "prompt_id", "arm"])["composite"].mean().unstack()
        by_prompt = by_prompt.reindex(columns=[MODEL, MAXIMUM]).dropna(subset=[MAXIMUM])
        gains = (by_prompt[MAXIMUM] - by_prompt[MODEL]).rename("gain").reset_index()
        for source, part in gains.groupby("source", sort=True):
            yield Frontier(
                str(source), self._summary("frontier", part, "gain", bounds=of_differences(self._bounds))
            )

    def _mentions(self) -> Iterator[Mention]:
        spoken_of = self._judged["mentioned"].str.split(",")
        found = {name: [float(name in names) for names in spoken_of] for name in self.dimensions}
        words = ["source", "prompt_id", "response_id", "judge_id"]
        shares = self._judged.assign(**found).groupby(words, as_index=False)[self.dimensions].mean()
        for source, part in shares.groupby("source", sort=True):
            for dimension in self.dimensions:
                share = self._summary("mentioned", part, dimension, bounds=SHARE).mean
                prompts = part.loc[part[dimension].notna(), "prompt_id"].nunique()
                yield Mention(str(source), dimension, or_exact(share, prompts, level=self.parameters.level))

    @cached_property
    def _bounds(self) -> tuple[float, float]:
        """Bounds of replies and their means."""
        return of_scores(self.parameters.scale, self.replies[[*self.dimensions, "value"]].to_numpy(dtype=float))

    @cached_property
    def _judged(self) -> pd.DataFrame:
        return self.replies[self.replies["arm"].isin(JUDGED)]

    def _summary(
        self, name: str, rows: pd.DataFrame, column: str, *, bounds: tuple[float, float] = UNBOUNDED
    ) -> Summary:
        prompts, _ = pd.factorize(rows["prompt_id"])
        values = rows[column].to_numpy(dtype=float)
        return clustered_summary(name, values, prompts, level=self.parameters.level, bounds=bounds)


def _tally(replies: pd.DataFrame) -> pd.DataFrame:
    """Replies tallied by answer."""
    by_answer = replies.groupby("response_id")
    return pd.DataFrame(
        {
            "composite": by_answer["value"].mean(),
            "given": by_answer["value"].count(),
            "abstentions": by_answer["abstained"].sum(),
        }
    )
