"""Files that were sent and wait for somebody to say what is in them: until that is said, or for two hours."""

from dataclasses import dataclass
from secrets import token_urlsafe

from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile

from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User

SECONDS = 2 * 60 * 60


@dataclass(frozen=True)
class PendingUpload:
    """`token` is what its sender finds it by."""

    token: str
    name: str
    content: bytes


def keep_upload(file: "UploadedFile[bytes]", *, by: User) -> PendingUpload:
    held = PendingUpload(token_urlsafe(16), file.name or "", file.read())
    cache.set(_key(held.token, by), (held.name, held.content), SECONDS)
    return held


def pending_upload(token: str, *, by: User) -> PendingUpload | None:
    """The file that this person sent; `None` where there is none, or it has waited too long."""
    found = cache.get(_key(token, by))
    return PendingUpload(token, *found) if found else None


def discard_upload(held: PendingUpload, *, by: User) -> None:
    """Keep the file no longer: it was imported, or another one took its place."""
    cache.delete(_key(held.token, by))


def _key(token: str, by: User) -> str:
    """Whatever was sent as a token, it makes a good key."""
    return f"held-file-{sha256_hex(f'{by.pk} {token}')}"
