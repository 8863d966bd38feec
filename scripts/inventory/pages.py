"""Every page of the demonstration, as everybody in it gets it."""

import hashlib
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import takewhile
from pathlib import Path
from typing import Any, Final
from unittest import mock
from urllib.parse import urljoin, urlsplit
from zipfile import ZipFile

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve, reverse

from scripts.inventory.folders import differences, read_lines, write_lines
from scripts.inventory.html import addresses_in, assets_in, normalised
from scripts.inventory.registry import routes
from scripts.inventory.renames import Renames

_SERVER: Final = "localhost"
_ENTRIES: Final = ("home", "demo_people", "account_login", "health_live", "health_ready")
_MAX_ADDRESSES: Final = 4  # addresses of a route
_FEW: Final = 10  # members of one role in a study
_HEADERS: Final = (
    "Content-Type",
    "Content-Disposition",
    "Location",
    "Content-Security-Policy",
    "Cache-Control",
    "X-Frame-Options",
)
_BODIES: Final = "bodies"


@dataclass(frozen=True)
class Answer:
    """What somebody got at an address."""

    status: int
    headers: Mapping[str, str]
    body: str  # of a page without its assets
    assets: tuple[str, ...]
    addresses: tuple[str, ...]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body.encode()).hexdigest()[:16]


def record(folder: Path) -> None:
    """What people get on their own ways through the site, and one person of each role wherever another came.

    Addresses nobody came to are among them as far as they can be made up.
    """
    with mock.patch("secrets.token_bytes", side_effect=bytes):  # of authenticator apps' secrets, which are shown
        _write(folder, _asked())


def _asked() -> dict[tuple[str, str, str], Answer]:
    """The answers by route, address and person."""
    people = {"nobody": Client(SERVER_NAME=_SERVER)} | {each.email: _signed_in(each) for each in _everybody()}
    answers: dict[tuple[str, str, str], Answer] = {}
    for person, browser in people.items():
        answers |= {(route, address, person): answer for route, address, answer in _followed(browser)}
    for route, address in [*_spread(answers), *_filled_in({(route, address) for route, address, _ in answers})]:
        for person in ["nobody", *(each.email for each in _one_of_each())]:
            if (route, address, person) not in answers:
                answers[route, address, person] = _get(people[person], address)
    return answers


def _write(folder: Path, answers: Mapping[tuple[str, str, str], Answer]) -> None:
    """The answers, their bodies under their hashes, what the pages load, and the routes that nobody comes to."""
    write_lines(folder / "pages.txt", [f"{' '.join(key)}: {_told(answer)}" for key, answer in answers.items()])
    write_lines(
        folder / "assets.txt", {f"{key[0]}: {asset}" for key, answer in answers.items() for asset in answer.assets}
    )
    write_lines(folder / "not_reached.txt", set(routes()) - {route for route, _, _ in answers} or {"none"})
    (folder / _BODIES).mkdir()
    for answer in answers.values():
        (folder / _BODIES / f"{answer.sha256}.txt").write_text(answer.body, encoding="utf-8")


def compare(before: Path, after: Path, _renames: Renames) -> Iterator[str]:
    """Line by line; a hash is the name of a file in `bodies`. Assets are for information alone."""
    for name in ("not_reached.txt", "pages.txt"):
        found = differences(read_lines(before / name), read_lines(after / name))
        yield from (f"{name}: {line}" for line in found)


def _everybody() -> list[Any]:
    """Everybody of the studies that are small, whose members are at different points, and one of each role."""
    small = [member.user for those in _members() if len(those) < _FEW for member in those]
    return sorted({*small, *_one_of_each()}, key=lambda user: user.email)


def _one_of_each() -> list[Any]:
    """An administrator, and one person of each role in each study."""
    staff = get_user_model().objects.filter(is_staff=True).order_by("pk")[:1]
    return sorted({*staff, *(those[0].user for those in _members())}, key=lambda user: user.email)


@cache
def _members() -> list[list[Any]]:
    """The members of each study by role."""
    groups = defaultdict(list)
    members = apps.get_model("annotation", "Participation").objects.select_related("user")
    for member in members.order_by("study__slug", "role", "pseudonym"):
        groups[member.study_id, member.role].append(member)
    return list(groups.values())


def _signed_in(user: Any) -> Client:
    client = Client(SERVER_NAME=_SERVER)
    client.force_login(user)
    return client


def _followed(browser: Client) -> Iterator[tuple[str, str, Answer]]:
    """What somebody gets to from where everybody begins; of each route no more addresses than are asked for."""
    found: dict[str, set[str]] = defaultdict(set)
    waiting = deque(reverse(name) for name in _ENTRIES)
    while waiting:
        address = waiting.popleft()
        try:
            route = resolve(urlsplit(address).path).url_name or ""
        except Resolver404:
            continue
        if address not in found[route] and len(found[route]) < _MAX_ADDRESSES:
            found[route].add(address)
            answer = _get(browser, address)
            yield route, address, answer
            waiting.extend(_here(address, answer.addresses))


def _spread(answers: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """For each route some of its addresses, from the first to the last in their order."""
    by_route = defaultdict(set)
    for route, address, _ in answers:
        by_route[route].add(address)
    for route, found in by_route.items():
        addresses, last = sorted(found), len(found) - 1
        for place in sorted({round(step * last / max(_MAX_ADDRESSES - 1, 1)) for step in range(_MAX_ADDRESSES)}):
            yield route, addresses[place]


def _filled_in(found: Set[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """An address for each route that nobody was led to: with what is in one of the route that is most like it."""
    reached = {route: resolve(urlsplit(address).path) for route, address in sorted(found)}
    for name, pattern in routes().items():
        like = [
            (_in_common(pattern, match.route), route)
            for route, match in reached.items()
            if match.kwargs.keys() == _arguments(pattern)
        ]
        if name not in reached and (like or not _arguments(pattern)):
            yield name, reverse(name, kwargs=reached[max(like)[1]].kwargs if _arguments(pattern) else {})


def _in_common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _arguments(pattern: str) -> Set[str]:
    return set(re.findall(r"<(?:\w+:)?(\w+)>", pattern))


def _here(page: str, addresses: Iterable[str]) -> Iterator[str]:
    """Those that are on this site, without what only a browser looks at."""
    for address in addresses:
        parts = urlsplit(urljoin(f"http://{_SERVER}{page}", address))
        if parts.netloc in {_SERVER, urlsplit(settings.SITE_URL).netloc} and not parts.path.startswith(
            settings.STATIC_URL
        ):
            yield parts._replace(scheme="", netloc="", fragment="").geturl()


def _get(browser: Client, address: str) -> Answer:
    """The answer; the database is as before afterwards, and so is the browser."""
    client = Client(SERVER_NAME=_SERVER, raise_request_exception=False)
    client.cookies.load(browser.cookies.output(header="", sep=";"))
    with transaction.atomic():
        response: Any = client.get(address)
        content = b"".join(response.streaming_content) if response.streaming else response.content
        transaction.set_rollback(True)
    kind = response.headers.get("Content-Type", "")
    is_page = kind.startswith("text/html")
    text = _text(content, kind)
    return Answer(
        response.status_code,
        {name: _in_order(response.headers[name]) for name in _HEADERS if name in response.headers},
        normalised(text) if is_page else text,
        tuple(assets_in(text)) if is_page else (),
        (*(addresses_in(text) if is_page else ()), *filter(None, [response.headers.get("Location")])),
    )


def _in_order(header: str) -> str:
    """Directives of a policy come in another order in each process."""
    return "; ".join(sorted(header.split("; "))) if "-src " in header else header


def _text(content: bytes, kind: str) -> str:
    """Text as it is, of a ZIP each file's hash, of anything else its own."""
    if kind == "application/zip":
        with ZipFile(BytesIO(content)) as archive:
            return "".join(
                f"{name} {hashlib.sha256(archive.read(name)).hexdigest()}\n" for name in archive.namelist()
            )
    try:
        return content.decode()
    except UnicodeDecodeError:
        return hashlib.sha256(content).hexdigest()


def _told(answer: Answer) -> str:
    return " | ".join([f"{answer.status} {answer.sha256}", *(f"{k}: {v}" for k, v in answer.headers.items())])
