"""A study's tables: what they hold, what a withdrawal takes out of them, and how many queries they take."""

import json
from typing import Any

import pandas as pd
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from analysis.blinding.models import SealedTable
from analysis.blinding.services.verification import check_blinding
from analysis.data.core.study_tables import ORDER, StudyTables, sources_hmac, table_hmac, table_sha256
from analysis.frozen.models import CanonicalTable, Freeze, FrozenTable
from analysis.frozen.selectors.frozen_tables import collected_tables
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.judging.models.judging import Score
from annotation.people.services import members
from annotation.platform.core.blinding import labels
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Participation, Profile, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import ItemPlan, Stimulus
from annotation.texts.models.seeds import StudySeed
from generation.calls.models import Call
from generation.calls.services.claiming import Outgoing
from generation.providers.base import Reply
from tests.factories import (
    SEED,
    a_judged_study,
    an_unblinded_study,
    closed,
    members_of,
    unblinded,
)
from tests.generation.calls.model_runs import a_target, good, worked_off
from tests.generation.panel.panels import INFERRED, asked, item_of, justified, labels_of, with_judges
from tests.judging import all_guessed

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Two judges rated a prompt of each kind, guessed on one, and said why; a model read it. Gone in the end."""
    study = a_judged_study(
        *(2, 2, 2),
        prompts=3,
        guess_items=1,
        quality_floor_prompts=1,
        source_attribution_prompts=1,
        panel_judge_models=1,
    )
    all_guessed(study)
    a_target(study, "family-1", model_id="demo-large")
    justified(unblinded(closed(study)))
    with_judges(study, "reader")
    worked_off(asked(study, **INFERRED), read)


def read(outgoing: Outgoing) -> Reply:
    """The first dimension of every answer is a 6 and was spoken of, nothing else was."""
    first, *others = dimensions_of(Study.objects.get())
    scores = {first: 6, **dict.fromkeys(others, None), "mentioned": [first]}
    return good(json.dumps(dict.fromkeys(labels_of(item_of(outgoing)), scores)))


def dimensions_of(study: Study) -> list[str]:
    return [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]


@pytest.fixture
def study() -> Study:
    return Study.objects.get()


@pytest.fixture
def tables(study: Study) -> StudyTables:
    return study_tables(study)


def rows(table: pd.DataFrame, *columns: str) -> set[tuple[Any, ...]]:
    return set(table[list(columns)].itertuples(index=False, name=None))


class TestWhatTheyHold:
    def test_study_tables_hold_rows_in_the_order_that_is_promised(self, tables: StudyTables) -> None:
        for name, columns in ORDER.items():
            keys = list(getattr(tables, name)[list(columns)].itertuples(index=False, name=None))
            assert keys == sorted(set(keys)), name

    def test_study_tables_hold_every_prompt_with_its_purpose(self, tables: StudyTables) -> None:
        assert sorted(tables.prompts["item_type"]) == ["cal_quality_floor", "cal_source_attribution", "standard"]
        assert set(tables.domains.values()) == {"BBQ", "HLE", "MSC"}
        found = rows(tables.judgments, "prompt_id", "item_type")
        assert found == rows(tables.prompts, "prompt_id", "item_type")
        assert all(sha256_hex(text) == sha256 for text, sha256 in rows(tables.prompts, "prompt", "prompt_sha256"))

    def test_study_tables_hold_every_admitted_answer_with_its_source(self, tables: StudyTables) -> None:
        assert rows(tables.answers, "response_id", "arm", "source") == {
            (str(stimulus.pk), stimulus.arm, stimulus.source_code) for stimulus in Stimulus.objects.all()
        }
        assert rows(tables.answers, "text", "text_sha256") == {
            (response.text, sha256_hex(response.text)) for response in Response.objects.all()
        }
        named = tables.answers[["arm", "source", "model_id", "family"]]
        # The catalogue knows the model that the study calls family-1; of family-2 there is nothing but the name.
        assert set(named[named["arm"] == "model"].itertuples(index=False, name=None)) == {
            ("model", "family-1", "demo-large", "aurora"),
            ("model", "family-2", "", "family-2"),
        }
        assert rows(named[named["arm"] == "human"], "model_id", "family") == {("", "")}

    def test_study_tables_hold_every_label_as_the_seed_gives_it(self, tables: StudyTables) -> None:
        for (judge, prompt), item in tables.items.groupby(["judge_id", "prompt_id"]):
            seeded = labels(SEED, judge=str(judge), prompt=str(prompt), responses=list(item["true_id"]))
            assert rows(item, "blinded_label", "true_id") == {(f"Response {a}", b) for a, b in seeded.items()}
        assert len(tables.items) == 3 * 2 * 4
        assert rows(tables.items, "withdrawn", "replaces_judge") == {(0.0, "")}

    def test_study_tables_hold_the_set_of_human_answers_of_every_item(self, tables: StudyTables) -> None:
        plans = ItemPlan.objects.exclude(human_set=None).values_list(
            "item__prompt__code", "item__participation__pseudonym", "human_set__number"
        )
        with_sets = tables.items.dropna(subset="human_set")
        assert rows(with_sets, "prompt_id", "judge_id", "human_set") == set(plans)
        assert set(tables.items.loc[tables.items["human_set"].isna(), "item_type"]) == {"cal_source_attribution"}

    def test_study_tables_hold_every_guess(self, study: Study, tables: StudyTables) -> None:
        assert rows(tables.guesses, "guess", "confidence") == {("model", 4.0)}
        assert len(tables.guesses) == 2 * 4  # two judges, an item of four answers each
        shown = rows(tables.items, "prompt_id", "judge_id", "true_id")
        assert rows(tables.guesses, "prompt_id", "judge_id", "true_id") <= shown
        assert collected_tables(study)["guesses"].equals(tables.guesses)

    def test_study_tables_hold_what_was_read_out_of_every_justification(
        self, study: Study, tables: StudyTables
    ) -> None:
        first, *others = dimensions_of(study)
        assert rows(tables.panel, "judge_model", "judge_family", "perspective_id", "mode", "presentation") == {
            ("demo-reader", "reader", "", "inferred", "as_judged")
        }
        assert rows(tables.panel, first, "abstained", "mentioned") == {(6.0, 0.0, first)}
        assert tables.panel[[*others, "score"]].isna().all(axis=None)
        assert rows(tables.panel, "judge_id", "response_id") == rows(tables.items, "judge_id", "true_id")
        written_by = dict(zip(tables.answers["response_id"], tables.answers["source"], strict=True))
        assert tables.panel["respondent_id"].tolist() == tables.panel["response_id"].map(written_by).tolist()
        times = tables.items["true_id"].value_counts().to_dict()  # one reading of each judge's words
        assert dict(rows(tables.panel_expected, "response_id", "expected")) == times

    def test_study_tables_hold_writers_and_judges_and_nobody_else(self, tables: StudyTables) -> None:
        people = Participation.objects.filter(role__in=("writer", "judge"))
        assert rows(tables.participants, "participant_id", "role") == set(people.values_list("pseudonym", "role"))
        assert rows(tables.participants, "highest_degree", "r1_institution", "discipline", "years_experience") == {
            ("doctorate", 1.0, "Sociology", 12.0)
        }
        assert tables.ideology is None
        assert tables.participants["ideology"].isna().all()

    def test_study_tables_hold_what_was_frozen_and_not_what_rows_were_changed_to_since(
        self, study: Study, tables: StudyTables
    ) -> None:
        Profile.objects.update(country="Elsewhere", years_experience=70)
        Score.objects.update(value=1)
        Response.objects.update(text="Something else.")
        Prompt.objects.update(domain="elsewhere")
        after = study_tables(study)
        for name in ("judgments", "prompts", "answers", "items", "guesses", "participants"):
            pd.testing.assert_frame_equal(getattr(after, name), getattr(tables, name))

    @pytest.mark.parametrize("model", [FrozenTable, SealedTable])
    @pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"a": [1]}', None], ids=str)
    def test_study_tables_are_refused_where_one_that_was_kept_has_been_changed(
        self, study: Study, model: type[CanonicalTable], content: bytes | None
    ) -> None:
        for kept in model._base_manager.filter(freeze=study.pk):
            changed = bytes(kept.content).replace(b"1", b"2") if content is None else content
            with transaction.atomic():
                model._base_manager.filter(pk=kept.pk).update(content=changed)
                with pytest.raises(Refused, match="their hash differs"):
                    study_tables(study)
                assert not check_blinding(study).passed
                transaction.set_rollback(True)

    def test_study_tables_are_those_that_were_frozen_beside_the_judgments(
        self, study: Study, tables: StudyTables
    ) -> None:
        given = tables.answers[tables.answers["response_id"].isin(tables.items["true_id"])]
        texts = given[["response_id", "text_sha256"]].sort_values("response_id")
        seed = bytes(StudySeed.objects.get(study=study).seed)
        assert Freeze.objects.get(study=study).tables == {
            "guesses": table_sha256(tables.guesses),
            "texts": table_sha256(texts),
            "sources": sources_hmac(seed, given),
            "prompts": table_hmac(seed, "prompts", tables.prompts),
            "domains": table_sha256(tables.prompts[["prompt_id", "domain"]]),
            "items": table_hmac(seed, "items", tables.items.drop(columns="withdrawn")),
            "answers": table_hmac(seed, "answers", tables.answers),
            "participants": table_hmac(seed, "participants", tables.participants),
        }


class TestAWithdrawal:
    """Changes exactly what it should."""

    def test_the_withdrawal_of_a_writer_takes_their_answers_out_of_the_tables(
        self, study: Study, tables: StudyTables
    ) -> None:
        writer = members_of(study, Role.WRITER)[0]
        theirs = set(tables.answers.loc[tables.answers["source"] == writer.pseudonym, "response_id"])
        prompt_of = dict(zip(tables.answers["response_id"], tables.answers["prompt_id"], strict=True))
        members.withdraw_consent(participation=writer, by=writer.user)
        after = study_tables(study)
        assert len(theirs) == 3
        for name, column in (("judgments", "true_id"), ("guesses", "true_id"), ("answers", "response_id")):
            before = getattr(tables, name)
            pd.testing.assert_frame_equal(getattr(after, name), left(before, ~before[column].isin(theirs)))
        is_theirs = tables.items["true_id"].isin(theirs)
        assert is_theirs.any()
        pd.testing.assert_frame_equal(after.items, tables.items.assign(withdrawn=is_theirs.astype(float)))
        # What was said of an item that shows their text does not count, nor is it wanted any more.
        with_theirs = rows(tables.items[is_theirs], "prompt_id", "judge_id")
        counts = [
            (prompt_of[answer], judge) not in with_theirs
            for answer, judge in zip(tables.panel["response_id"], tables.panel["judge_id"], strict=True)
        ]
        pd.testing.assert_frame_equal(after.panel, left(tables.panel, counts))
        assert 0 < sum(after.panel_expected["expected"]) == len(after.panel) < len(tables.panel)
        self.check_people(tables, after, writer)
        assert rows(after.tombstones, "kind", "id", "prompt_id") == {
            ("writer", writer.pseudonym, ""),
            *(("answer", answer, prompt_of[answer]) for answer in theirs),
        }

    def test_the_withdrawal_of_a_judge_takes_what_they_said_out_of_the_tables(
        self, study: Study, tables: StudyTables
    ) -> None:
        judge = members_of(study, Role.JUDGE)[0]
        members.withdraw_consent(participation=judge, by=judge.user)
        after = study_tables(study)
        for name in ("judgments", "items", "guesses", "panel"):
            before = getattr(tables, name)
            is_theirs = before["judge_id"] == judge.pseudonym
            assert is_theirs.any()
            pd.testing.assert_frame_equal(getattr(after, name), left(before, ~is_theirs))
        pd.testing.assert_frame_equal(after.answers, tables.answers)
        self.check_people(tables, after, judge)
        assert rows(after.tombstones, "kind", "id", "prompt_id") == {
            ("judge", judge.pseudonym, ""),
            *(("item", judge.pseudonym, prompt) for prompt in tables.prompts["prompt_id"]),
        }

    def test_the_withdrawal_of_everybody_leaves_prompts_and_models(self, study: Study) -> None:
        for person in Participation.objects.filter(role__in=("writer", "judge")).select_related("user", "study"):
            members.withdraw_consent(participation=person, by=person.user)
        after = study_tables(study)
        for name in ("judgments", "items", "guesses", "panel", "participants"):
            assert getattr(after, name).empty, name
        assert set(after.answers["arm"]) == {"model", "weak"}
        assert len(after.prompts) == 3

    def check_people(self, before: StudyTables, after: StudyTables, person: Participation) -> None:
        stays = before.participants["participant_id"] != person.pseudonym
        pd.testing.assert_frame_equal(after.participants, left(before.participants, stays))
        pd.testing.assert_frame_equal(after.prompts, before.prompts)
        assert before.tombstones.empty
        assert rows(after.tombstones, "reason") == {("consent withdrawn",)}


def left(table: pd.DataFrame, stays: "pd.Series[bool] | list[bool]") -> pd.DataFrame:
    return table[stays].reset_index(drop=True)


def test_study_tables_take_as_many_queries_whatever_the_size_of_the_study(study: Study) -> None:
    small = an_unblinded_study(1, 1, 1, slug="small", prompts=1)
    large = an_unblinded_study(2, 2, 2, slug="large", prompts=2)
    assert queries(small) == queries(large)
    assert Call.objects.filter(run__study=study).exists()
    assert queries(study) <= queries(large) + 6  # of the one way in which the panel was asked


def queries(study: Study) -> int:
    study_tables(study)  # what is parsed once is parsed
    with CaptureQueriesContext(connection) as captured:
        study_tables(study)
    return len(captured)
