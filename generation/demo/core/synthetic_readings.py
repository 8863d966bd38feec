"""A demonstration's reader of texts: it says what the leak scan would, in the form asked for."""

from typing import Any

from annotation.texts.core.leaks.scan import scan


def read_text(text: str) -> dict[str, Any]:
    """The gravest finding in a text, or that there is none."""
    findings = [finding for finding in scan(text) if finding.end > finding.start]
    if not findings:
        return {"quote": "", "reason": "Composed for a demonstration: nothing was found.", "verdict": "no"}
    gravest = max(findings, key=lambda finding: (finding.severity, -finding.start))
    return {
        "quote": text[gravest.start : gravest.end].strip(),
        "reason": f"Composed for a demonstration: {gravest.meaning}.",
        "verdict": {1: "perhaps", 2: "probably", 3: "surely"}[gravest.severity],
    }
