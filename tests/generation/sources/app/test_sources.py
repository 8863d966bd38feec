"""Sources in studies: who imports them, and which a study draws on until when."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.sources.core.concepts import Document
from generation.sources.core.funnel import Reduction, Removed, Scenario, Step
from generation.sources.models import RemovedItem, Source, StudySource
from generation.sources.services.sources import Imported, drop_source, import_source, use_source
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool

pytestmark = pytest.mark.django_db


def reduction(*texts: str) -> Reduction:
    """Questions of one stratum; one more was removed."""
    return Reduction(
        steps=(Step("all rows", len(texts) + 1, 0), Step("short", len(texts), 1, {"too long": 1})),
        scenarios=tuple(
            Scenario(f"q{number}", "all", {"question": text, "subject": ""}) for number, text in enumerate(texts)
        ),
        removed=((), (Removed("q9", "Is it\ttoo \\ long?\n", "too long"),)),
    )


def imported(*texts: str, by: Any = None, **fields: Any) -> Imported:
    given: dict[str, Any] = {"slug": "own", "code": "OWN", "name": "Questions of our own", "licence": ""}
    given |= {"kind": "table", "shape": "question"} | fields
    return import_source(reduction=reduction(*(texts or ("Is it fair?",))), by=by, **given)


@pytest.fixture
def study() -> Study:
    return a_study()


class TestImporting:
    def test_importing_a_source_is_for_coordinators_of_any_study(self, study: Study) -> None:
        source = imported(by=coordinator_of(study)).source
        assert source.imported_by == coordinator_of(study)
        writer = a_member(study, Role.WRITER).user
        with pytest.raises(PermissionDenied):
            imported(by=writer, slug="other")
        assert not Source.objects.filter(slug="other").exists()

    def test_importing_a_source_keeps_what_was_removed_as_it_was(self) -> None:
        imported()
        item = RemovedItem.objects.get()
        assert (item.step, item.rule, item.key, item.text) == (1, "too long", "q9", "Is it\ttoo \\ long?\n")

    def test_importing_a_source_knows_the_same_scenarios_again_in_another_order(self) -> None:
        first = imported("Is it fair?", "Is it just?")
        again = import_source(
            slug="own",
            kind="table",
            shape="question",
            code="OWN",
            name="Questions of our own",
            licence="",
            reduction=Reduction((), tuple(reversed(reduction("Is it fair?", "Is it just?").scenarios)), ()),
            by=None,
        )
        assert (again.source, again.changed) == (first.source, False)

    @pytest.mark.parametrize(("field", "other"), [("code", "ELSE"), ("name", "Others"), ("licence", "CC0")])
    def test_importing_a_source_refuses_the_same_scenarios_described_otherwise(
        self, field: str, other: str
    ) -> None:
        imported()
        with pytest.raises(Refused, match=f"stored already with the {field}") as caught:
            imported(**{field: other})
        assert caught.value.field == field

    @pytest.mark.parametrize(
        "other", [{"shape": "concept"}, {"kind": "hle"}, {"documents": [Document("Charter", "c", "We listen.")]}]
    )
    def test_importing_a_source_refuses_other_content_under_the_same_short_name(
        self, other: dict[str, Any]
    ) -> None:
        imported()
        with pytest.raises(Refused, match="“own” with other content is stored already") as caught:
            imported(**other)
        assert caught.value.field == "slug"

    @pytest.mark.parametrize(
        ("fields", "why"),
        [
            ({"slug": "not a slug"}, "“Short name” takes letters"),
            ({"code": "b"}, "Code: Use 2 to 12 capital letters"),
            ({"name": ""}, "“Name” cannot be left empty"),
            ({"licence": "x" * 201}, "“Licence” can have at most 200"),
        ],
    )
    def test_importing_a_source_refuses_names_that_cannot_be_at_their_field(
        self, fields: dict[str, str], why: str
    ) -> None:
        with pytest.raises(Refused, match=why) as caught:
            imported(**fields)
        assert [caught.value.field] == [*fields]
        assert not Source.objects.exists()


class TestUsing:
    def test_using_a_source_twice_is_using_it_once(self, study: Study) -> None:
        source, by = imported().source, coordinator_of(study)
        assert use_source(study=study, source=source, by=by) == use_source(study=study, source=source, by=by)
        event = AuditEvent.objects.get(verb="source.used")
        assert (event.study_id, event.subject, event.actor) == (study.pk, "own", by)

    def test_using_a_source_is_for_the_studys_coordinators(self, study: Study) -> None:
        with pytest.raises(PermissionDenied):
            use_source(study=study, source=imported().source, by=a_person("Otto Outsider"))

    def test_using_two_sources_with_one_code_is_refused(self, study: Study) -> None:
        by = coordinator_of(study)
        use_source(study=study, source=imported().source, by=by)
        other = imported("Is it kind?", slug="other", name="Others").source
        with pytest.raises(Refused, match="“Questions of our own” has the code OWN as well"):
            use_source(study=study, source=other, by=by)
        elsewhere = a_study("elsewhere")
        assert use_source(study=elsewhere, source=other, by=by).source == other


class TestDropping:
    def test_dropping_a_source_leaves_it_where_it_is(self, study: Study) -> None:
        source, by = imported().source, coordinator_of(study)
        use_source(study=study, source=source, by=by)
        for _ in range(2):
            drop_source(study=study, source=source, by=by)
        assert not StudySource.objects.exists()
        assert Source.objects.filter(pk=source.pk).exists()
        assert AuditEvent.objects.filter(verb="source.dropped").count() == 1

    def test_dropping_a_source_is_refused_once_prompts_are_written_from_it(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        source = Source.objects.get()
        with pytest.raises(Refused, match="has prompts written from"):
            drop_source(study=study, source=source, by=coordinator_of(study))
        assert StudySource.objects.filter(study=study, source=source).exists()

    def test_dropping_a_source_is_free_in_a_study_that_asked_nothing_of_it(self, study: Study) -> None:
        a_pool(study, scenarios=1)
        source, elsewhere = Source.objects.get(), a_study("elsewhere")
        use_source(study=elsewhere, source=source, by=coordinator_of(elsewhere))
        drop_source(study=elsewhere, source=source, by=coordinator_of(elsewhere))
        assert [use.study for use in StudySource.objects.all()] == [study]
