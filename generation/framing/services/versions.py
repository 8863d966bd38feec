"""New versions of framings; the newest counts."""

from collections.abc import Mapping

from django.db.models import Max

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from generation.calls.models import Call, Subject
from generation.framing.models import FramedPrompt, Framing


def add_versions(
    prompt: int, texts: Mapping[str, str], *, call: Call | None = None, by: User | None = None, reason: str = ""
) -> None:
    """Keep `texts` as the newest framings of the prompt, which is locked for the transaction: a model's of `call`,
    or a person's, with the reason.
    """
    FramedPrompt.objects.select_for_update(of=("self",), no_key=True).get(pk=prompt)
    rows = Framing.objects.filter(prompt=prompt).order_by().values_list("condition")
    newest = dict(rows.annotate(Max("version")))
    subjects = Subject.objects.bulk_create(Subject(kind="framing") for _ in texts)
    Framing.objects.bulk_create(
        Framing(
            subject=subject,
            prompt_id=prompt,
            condition=condition,
            version=newest.get(condition, 0) + 1,
            text=text,
            sha256=sha256_hex(text),
            call=call,
            edited_by=by,
            reason=reason,
        )
        for subject, (condition, text) in zip(subjects, texts.items(), strict=True)
    )
