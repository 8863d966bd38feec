"""Recomputing what was promised: the seed behind its commitment, and every label behind the seed."""

from dataclasses import dataclass

from analysis.models.ceremony import Freeze
from analysis.selectors.judgments import frame_sha256, masked_judgments
from annotation.core.blinding import commitment, labels
from annotation.models.judging import BlindedSlot
from annotation.models.seeds import StudySeed
from annotation.models.studies import Study


@dataclass(frozen=True)
class BlindingCheck:
    """How many items were recomputed, and in words each thing that differs."""

    items: int
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.differences


def check_blinding(study: Study) -> BlindingCheck:
    """Recompute the commitment and every label from the seed and, once closed, the hash of the judgments."""
    kept = StudySeed.objects.get(study=study)
    seed = bytes(kept.seed)
    differences = [] if commitment(seed) == kept.commitment else ["The seed does not match its commitment."]
    frozen = Freeze.objects.filter(study=study).first()
    if frozen and frame_sha256(masked_judgments(study)) != frozen.sha256:
        differences.append("The judgments are no longer those that were frozen.")
    shown: dict[tuple[str, str], dict[str, str]] = {}
    slots = BlindedSlot.objects.filter(item__study=study).values_list(
        "item__participation__pseudonym", "item__prompt__code", "label", "response_id"
    )
    for judge, prompt, label, response in slots:
        shown.setdefault((judge, prompt), {})[label] = str(response)
    for (judge, prompt), found in sorted(shown.items()):
        expected = labels(seed, judge=judge, prompt=prompt, responses=sorted(found.values()))
        if found != expected:
            wrong = ", ".join(sorted(label for label in found if found[label] != expected.get(label)))
            differences.append(f"Judge {judge}, prompt {prompt}: label {wrong} differs from the seeded order.")
    return BlindingCheck(len(shown), tuple(differences))
