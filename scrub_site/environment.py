"""What the environment tells the settings: each rule gives the value, or raises `ImproperlyConfigured`, which says
why the site does not start and what to do about it.
"""

from collections.abc import Collection, Mapping
from email.utils import getaddresses
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from zlib import compress

from django.core.exceptions import ImproperlyConfigured
from environ import Env

# As Django's own check has it.
MIN_CHARACTERS: Final = 50
MIN_DIFFERENT_CHARACTERS: Final = 5
MIN_COMPRESSED: Final = 41  # bytes; fifty random digits have no fewer, and words that are repeated half as many
MAX_PROXIES: Final = 10

YES: Final = ("1", "true", "yes", "on")
NO: Final = ("0", "false", "no", "off")
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_FORMATS: Final = ("json", "line")
POSTGRES: Final = ("postgres", "postgresql", "pgsql", "psql")
REDIS: Final = ("redis", "rediss", "unix")
# Of an address that holds a password, which a message never shows.
IN_PASSWORDS: Final = (
    "In a password all but letters and digits are written as % and their code: %40 for @, %23 for #."
)

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
    except ValueError:  # an invalid port, or brackets around no address
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


def switch(given: Mapping[str, str], name: str, *, default: bool) -> bool:
    """A setting that is on or off; `default` where nothing is given."""
    word = given.get(name, "").strip().lower()
    if word and word not in YES + NO:
        raise ImproperlyConfigured(f"{name} must be 1 for on or 0 for off, not {given[name]!r}.")
    return word in YES if word else default


def number(given: Mapping[str, str], name: str, *, default: int, least: int) -> int:
    """A whole number, `least` or more; `default` where nothing is given."""
    text = given.get(name, "").strip() or str(default)
    if not (text.isascii() and text.isdecimal() and int(text) >= least):
        raise ImproperlyConfigured(f"{name} must be a whole number, {least} or more, not {text!r}.")
    return int(text)


def numbers(given: Mapping[str, str], name: str) -> dict[str, int]:
    """Whole numbers by what they are for: `this=1,that=2`."""
    found = {}
    for part in listed(given.get(name, "")):
        key, _, text = (word.strip() for word in part.partition("="))
        if not (key and text.isascii() and text.isdecimal()):
            raise ImproperlyConfigured(
                f"{name} must look like this=1,that=2, with whole numbers; {part!r} does not."
            )
        found[key] = int(text)
    return found


def one_of(given: Mapping[str, str], name: str, *, choices: Collection[str], default: str) -> str:
    """One of the choices, however it is capitalised; `default` where nothing is given."""
    word = given.get(name, "").strip() or default
    found = {choice.lower(): choice for choice in choices}
    if word.lower() not in found:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {word!r}.")
    return found[word.lower()]


def log_format(given: Mapping[str, str]) -> str:
    """How the log is written: one of `LOG_FORMATS`, by default in lines where somebody develops."""
    is_debug = switch(given, "DEBUG", default=False)
    return one_of(given, "LOG_FORMAT", choices=LOG_FORMATS, default="line" if is_debug else "json")


def listed(given: str) -> list[str]:
    """What stands between commas."""
    return [part for part in (part.strip() for part in given.split(",")) if part]


def hosts(given: str) -> list[str]:
    """Names of hosts, between commas, without what an address has around them."""
    for host in (found := listed(given)):
        if "/" in host:
            raise ImproperlyConfigured(f"ALLOWED_HOSTS takes names such as studio.example.org, not {host!r}.")
    return found


def origins(given: str) -> list[str]:
    """Schemes with hosts, between commas."""
    for origin in (found := listed(given)):
        if not origin.startswith(("http://", "https://")):
            raise ImproperlyConfigured(
                f"CSRF_TRUSTED_ORIGINS takes a scheme with each host, such as https://studio.example.org, not "
                f"{origin!r}."
            )
    return found


def sender(given: str) -> str:
    """The address that mails come from, perhaps with a name before it."""
    if [address.count("@") for _, address in getaddresses([given])] != [1]:
        raise ImproperlyConfigured(
            f"DEFAULT_FROM_EMAIL must be one address, such as SCRuB Studio <studio@example.org>, not {given!r}. "
            "Where the name has a comma, it stands in quotation marks."
        )
    return given


def database(given: str) -> dict[str, Any]:
    """The site's database, as Django is told it."""
    return dict(Env.db_url_config(database_url("DATABASE_URL", given)))


def database_url(name: str, given: str) -> str:
    """The address of a database on PostgreSQL, which a setting of this name gives."""
    parts = _parts(given)
    if parts is None or parts.scheme not in POSTGRES or not parts.path.strip("/") or _is_torn(parts):
        raise ImproperlyConfigured(
            f"{name} {_what_is_given(given)} like postgres://user:password@host:5432/name. {IN_PASSWORDS}"
        )
    return given


def redis_url(given: str) -> str:
    """The address of Redis."""
    parts = _parts(given)
    if parts is None or parts.scheme not in REDIS or _is_torn(parts):
        raise ImproperlyConfigured(f"REDIS_URL {_what_is_given(given)} like redis://host:6379/0. {IN_PASSWORDS}")
    return given


def mail_server(given: str) -> dict[str, Any]:
    """How mail is sent, as Django is told it."""
    parts = _parts(given)
    is_server = parts is not None and parts.scheme.startswith("smtp")
    if (
        parts is None
        or parts.scheme not in Env.EMAIL_SCHEMES
        or (is_server and (not parts.hostname or _is_torn(parts) or parts.path.strip("/")))
    ):
        raise ImproperlyConfigured(
            f"EMAIL_URL {_what_is_given(given)} like smtp+tls://user:password@mail.example.org:587. {IN_PASSWORDS}"
        )
    return dict(Env.email_url_config(given))


def _parts(address: str) -> SplitResult | None:
    """The address's parts; `None` where it has none that can be read, such as a port that is no number."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - read where it is asked for
    except ValueError:
        return None
    return parts


def _is_torn(parts: SplitResult) -> bool:
    """Whether a password with a sign of its own, such as # or /, has ended the part that it belongs to."""
    return bool(parts.fragment) or "@" in parts.path or "@" in parts.query


def _what_is_given(address: str) -> str:
    return (
        "holds no address that can be read, which looks" if address.strip() else "is not set: it takes an address"
    )
