"""What the environment tells the settings: each rule gives the value, or raises `ImproperlyConfigured`, which says
why the site does not start and what to do about it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from zlib import compress

from django.core.exceptions import ImproperlyConfigured

# As Django's own check has it.
MIN_CHARACTERS: Final = 50
MIN_DIFFERENT_CHARACTERS: Final = 5
MIN_COMPRESSED: Final = 41  # bytes; fifty random digits have no fewer, and words that are repeated half as many
MAX_PROXIES: Final = 10

KEY_FOR_DEBUG: Final = "only-for-demonstrations-and-tests-" + "x" * 32
# Who has read them could sign sessions and links. Django's own template makes those that begin like the last one.
PUBLISHED_KEYS: Final = (
    KEY_FOR_DEBUG,
    "a-long-random-text-of-at-least-fifty-characters-7f3k9q2m",
    "django-insecure-",
)
NEW_KEY: Final = """python3 -c 'import secrets; print(secrets.token_urlsafe(50))'"""

# What a reader could sign in, sign or send by. Each may stand in a file, where no list of processes shows it.
SECRETS: Final = (
    *("SECRET_KEY", "SECRET_KEY_FALLBACKS", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "METRICS_TOKEN"),
    *("ADMIN_DATABASE_URL", "APP_DATABASE_URL", "BACKUP_DATABASE_URL"),
)


def with_secrets(given: Mapping[str, str]) -> dict[str, str]:
    """The environment, with each of `SECRETS` read from the file that NAME_FILE names, where it names one."""
    return {**given, **{name: _in_file(name, file) for name in SECRETS if (file := given.get(f"{name}_FILE"))}}


def _in_file(name: str, file: str) -> str:
    """The file's text without the blanks around it; never shown in a message."""
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as fault:
        why = getattr(fault, "strerror", None) or "it is not UTF-8"
        raise ImproperlyConfigured(
            f"{name}_FILE names {file}, which cannot be read: {why}. Mend the path or who may read it."
        ) from None
    if not text:
        raise ImproperlyConfigured(f"{name}_FILE names {file}, which is empty: write the value of {name} into it.")
    return text


def demo_mode(*, wanted: bool, debug: bool) -> bool:
    """Whether the site is a demonstration."""
    if wanted and not debug:
        raise ImproperlyConfigured(
            "DEMO_MODE lets any visitor be anybody and read all mail, so it needs DEBUG=1 beside it, on a machine "
            "of your own: `make demo` sets both. Remove DEMO_MODE where real people work."
        )
    return wanted


def secret_key(given: str, *, debug: bool) -> str:
    """The key that signs sessions and links. With `debug` any will do, or none."""
    if debug:
        return given or KEY_FOR_DEBUG
    if fault := _fault_of(given.strip()):
        raise ImproperlyConfigured(
            f"Set SECRET_KEY to a long random text of your own: {fault}. This prints one: {NEW_KEY}"
        )
    return given


def _fault_of(key: str) -> str:
    """What is wrong with a key; empty where nothing is."""
    if not key:
        return "it is not set, and only DEBUG does without"
    if key.startswith(PUBLISHED_KEYS):
        return "this one is published, so anybody could sign with it"
    if len(key) < MIN_CHARACTERS:
        return f"this one has {len(key)} characters, and {MIN_CHARACTERS} are the least"
    if len(set(key)) < MIN_DIFFERENT_CHARACTERS or len(compress(key.encode(), 9)) < MIN_COMPRESSED:
        return "this one repeats a few characters"
    return ""


def site_url(given: str) -> str:
    """The address that the site is reached at: scheme and host, perhaps a port, and no slash at the end."""
    address = given.strip().rstrip("/")
    try:
        parts = urlsplit(address)
        is_address = bool(parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
    except ValueError:  # a port that is none, or brackets around no address
        is_address = False
    if not is_address or "@" in parts.netloc or address != f"{parts.scheme}://{parts.netloc}":
        raise ImproperlyConfigured(
            f"SITE_URL must be a scheme and a host, such as https://studio.example.org, not {given!r}: links in "
            f"mails begin with it."
        )
    return address


def proxy_count(given: str) -> int:
    """How many proxies are trusted to note who asked them, from 0 to `MAX_PROXIES`; 0 where nothing is given."""
    text = given.strip() or "0"
    if not (text.isascii() and text.isdecimal() and int(text) <= MAX_PROXIES):
        raise ImproperlyConfigured(
            f"TRUSTED_PROXY_COUNT must be the number of proxies in front of the site, from 0 for none to "
            f"{MAX_PROXIES}, not {given!r}: rate limits take the visitor's address from what they note."
        )
    return int(text)
