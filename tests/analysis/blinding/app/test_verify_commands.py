"""`verify_audit` and `verify_blinding` as an operator runs them: one altered row, and they fail and name it."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from tests.factories import a_judging_study, a_study, an_assembling_study
from tests.scrub_site.app.audit_trail import recorded, somebody_with_the_databases_password

pytestmark = pytest.mark.django_db


def run(command: str, *arguments: str) -> str:
    output = StringIO()
    call_command(command, *arguments, stdout=output, no_color=True)
    return output.getvalue()


class TestVerifyAudit:
    def test_verify_audit_says_that_the_chain_is_intact_and_what_is_not_sealed_yet(self) -> None:
        recorded("plant.bought", "plant.watered")
        audit.seal()
        recorded("plant.sold")
        last = AuditSeal.objects.get(number=2)
        assert run("verify_audit").splitlines() == [
            "The chain is intact. Sealed events: 2.",
            "Newer events without a seal: 1. The loop seals them within a second.",
            f"Head: 2:{last.digest}@{last.sealed_at.isoformat().replace('+00:00', 'Z')}",
        ]

    def test_verify_audit_on_an_empty_trail_has_no_head_to_show(self) -> None:
        assert run("verify_audit") == "The chain is intact. Sealed events: 0.\n"

    def test_verify_audit_names_an_altered_event(self) -> None:
        _, altered, _ = recorded("plant.bought", "plant.watered", "plant.sold")
        audit.seal()
        with somebody_with_the_databases_password() as cursor:
            cursor.execute("UPDATE annotation_auditevent SET subject = 'ivy' WHERE id = %s", [altered.pk])
        with pytest.raises(CommandError, match=rf"event {altered.pk} \(.* plant.watered ivy\)") as broken:
            run("verify_audit")
        assert broken.value.returncode == 1
        assert "Sealed before it and intact: 1." in str(broken.value)

    def test_verify_audit_notices_by_a_noted_head_that_the_end_was_cut_off(self) -> None:
        recorded("plant.bought", "plant.watered")
        audit.seal()
        head = run("verify_audit").split()[-1]
        assert run("verify_audit", "--head", head)
        with somebody_with_the_databases_password() as cursor:
            cursor.execute("DELETE FROM annotation_auditseal WHERE number = 2")
            cursor.execute("DELETE FROM annotation_auditevent WHERE verb = 'plant.watered'")
        assert "intact" in run("verify_audit")
        with pytest.raises(CommandError, match="gone: seal 2"):
            run("verify_audit", "--head", head)

    def test_verify_audit_notices_by_a_noted_head_that_the_whole_chain_was_sealed_anew(self) -> None:
        recorded("plant.bought", "plant.watered")
        audit.seal()
        head = run("verify_audit").split()[-1]
        with somebody_with_the_databases_password() as cursor:
            cursor.execute("DELETE FROM annotation_auditseal")
            cursor.execute("INSERT INTO annotation_unsealedevent (event_id) SELECT id FROM annotation_auditevent")
            cursor.execute("UPDATE annotation_auditevent SET subject = 'ivy'")
        audit.seal()
        assert "Sealed events: 2." in run("verify_audit")
        with pytest.raises(CommandError, match="gone: seal 2"):
            run("verify_audit", "--head", head)

    def test_verify_audit_names_every_noted_head_that_is_lost_and_no_other(self) -> None:
        recorded("plant.bought")
        audit.seal()
        first = str(audit.head())
        recorded("plant.watered", "plant.sold")
        audit.seal()
        others = [f"{number}:{'ab' * 32}" for number in (2, 3, 9, 10**17)]
        assert run("verify_audit", "--head", first, str(audit.head()), "--head", first)
        with pytest.raises(CommandError, match=r"gone: seal 2, 3, 9, 100000000000000000\."):
            run("verify_audit", "--head", others[0], first, *others[1:])

    @pytest.mark.parametrize("head", ["12", "x:abc", ":abc", "12:", f"{'9' * 30}:{'ab' * 32}", f"٣:{'ab' * 32}"])
    def test_verify_audit_refuses_what_is_no_head(self, head: str) -> None:
        with pytest.raises(CommandError, match="a head looks like"):
            run("verify_audit", "--head", head)


class TestVerifyBlinding:
    @pytest.fixture
    def study(self) -> Study:
        """Three prompts, three judges: nine items."""
        return a_judging_study()

    def test_verify_blinding_recomputes_every_item(self, study: Study) -> None:
        assert run("verify_blinding", study.slug).startswith(
            "The seed matches its commitment. Recomputed without a difference: 9 items, 0 submitted judgments."
        )

    @pytest.mark.parametrize(
        "parameters",
        [
            {"human_sets": "fixed"},
            {"judging_mode": "ranking"},
            {"quality_floor_prompts": 1, "source_attribution_prompts": 1},
            {"judges": 4, "ratings_per_prompt": 2},
        ],
        ids=str,
    )
    def test_verify_blinding_finds_nothing_wrong_with_an_honest_study_of_any_design(
        self, parameters: dict[str, Any]
    ) -> None:
        study = a_judging_study(**{"human": 2, "model": 2, "judges": 2, **parameters})
        assert "Recomputed without a difference" in run("verify_blinding", study.slug)

    def test_verify_blinding_notices_another_seed_than_the_one_that_was_promised(self, study: Study) -> None:
        StudySeed.objects.filter(study=study).update(seed=bytes(32))
        with pytest.raises(CommandError, match="The seed does not match its commitment"):
            run("verify_blinding", study.slug)

    def test_verify_blinding_never_prints_the_seed(self, study: Study) -> None:
        assert bytes(StudySeed.objects.get(study=study).seed).hex() not in run("verify_blinding", study.slug)

    def test_verify_blinding_before_there_are_labels_checks_the_commitment(self) -> None:
        study = an_assembling_study()
        expected = "The seed matches its commitment. No item has labels yet.\n"
        assert run("verify_blinding", study.slug) == expected

    def test_verify_blinding_says_that_a_study_in_design_has_no_seed(self) -> None:
        a_study("early")
        with pytest.raises(CommandError, match="its design is not locked"):
            run("verify_blinding", "early")

    def test_verify_blinding_lists_the_studies_there_are(self) -> None:
        a_study("early")
        with pytest.raises(CommandError, match="There are: early"):
            run("verify_blinding", "late")


def test_verifying_changes_nothing() -> None:
    study = a_judging_study(judges=2, prompts=2)
    audit.seal()
    before = list(AuditEvent.objects.values_list()), list(AuditSeal.objects.values_list())
    run("verify_audit")
    run("verify_blinding", study.slug)
    assert (list(AuditEvent.objects.values_list()), list(AuditSeal.objects.values_list())) == before
