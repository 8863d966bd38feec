"""The consent texts that come with the site, before a study fills them in."""

from pathlib import Path
from typing import Final

from annotation.study.models.studies import Study

_CONSENTS: Final = Path(__file__).resolve().parent.parent / "consent"
CONSENT_VERSION: Final = "5"
STANDARD_CONSENT: Final = (_CONSENTS / f"standard-{CONSENT_VERSION}.txt").read_text()
# Nobody writes or judges in an audit of benchmarks.
AUDIT_CONSENT_VERSION: Final = "audit-1"
AUDIT_CONSENT: Final = (_CONSENTS / f"{AUDIT_CONSENT_VERSION}.txt").read_text()


def consent_of(preset: str) -> dict[str, str]:
    """The text a study of this preset begins with, and its version, by the name of the parameter."""
    is_audit = preset == Study.Preset.AUDIT
    version, text = (AUDIT_CONSENT_VERSION, AUDIT_CONSENT) if is_audit else (CONSENT_VERSION, STANDARD_CONSENT)
    return {"consent_version": version, "consent_text": text}


def consent_filled_in(study: Study, preset: str) -> dict[str, str]:
    """What switching the preset does to the consent text: an untouched text becomes the new preset's.

    Empty where it stays as it is: the preset's own already, or in words of the study's own.
    """
    then = consent_of(preset)
    return then if study.consent_text == consent_of(study.preset)["consent_text"] != then["consent_text"] else {}


def consent_is_of_another_work(study: Study, preset: str) -> bool:
    """Whether a study keeps its own text although it was written for another preset's work."""
    then = consent_of(preset)
    is_other = then != consent_of(study.preset) and study.consent_text != then["consent_text"]
    return is_other and not consent_filled_in(study, preset)
