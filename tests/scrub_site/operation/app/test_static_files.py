"""Rooms that were open while the site was updated find the files of the release they came from."""

import os
from pathlib import Path

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from scrub_site.static_files.other_releases import KEPT_FOR, StaticFilesMiddleware, keep

OLD, NEW = "judging/tiers.0123456789ab.js", "judging/tiers.ba9876543210.js"


@pytest.fixture
def roots(tmp_path: Path, settings: Settings) -> tuple[Path, Path]:
    own, kept = tmp_path / "own", tmp_path / "kept"
    settings.STATIC_ROOT, settings.KEPT_STATIC_ROOT = own, str(kept)
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = False
    settings.STATIC_URL = "/static/"
    return own, kept


def release(own: Path, *names: str) -> None:
    for file in own.rglob("*.*"):
        file.unlink()
    for name in names:
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text(name)


def answer(middleware: StaticFilesMiddleware, path: str) -> tuple[int, str, str]:
    found = middleware(RequestFactory().get(path))
    content = b"".join(getattr(found, "streaming_content", None) or [getattr(found, "content", b"")])
    found.close()
    return found.status_code, content.decode(), found.get("Cache-Control", "")


def site() -> StaticFilesMiddleware:
    def page(_request: HttpRequest) -> HttpResponse:
        return HttpResponse("no file", status=404)

    return StaticFilesMiddleware(page)


def test_both_of_two_releases_side_by_side_serve_the_files_of_both(
    roots: tuple[Path, Path], settings: Settings
) -> None:
    own, kept = roots
    release(own, OLD, "judging/tiers.js")
    assert keep(own, kept) == (1, 0)
    old = site()
    settings.STATIC_ROOT = own = own.with_name("of the next")
    release(own, NEW, "judging/tiers.js")
    assert keep(own, kept) == (1, 0)
    new = site()
    for server in (old, new):
        for name in (OLD, NEW):
            status, content, control = answer(server, f"/static/{name}")
            assert (status, content) == (200, name)
            assert "immutable" in control or (server, name) in ((old, OLD), (new, NEW))


def test_only_names_that_change_with_their_content_are_looked_for(roots: tuple[Path, Path]) -> None:
    own, kept = roots
    release(own, OLD)
    (kept.parent / "secret.0123456789ab.txt").write_text("secret")
    kept.mkdir()
    (kept / "plain.js").write_text("plain")
    server = site()
    for path in ("/static/../secret.0123456789ab.txt", "/static/plain.js", "/secret.0123456789ab.txt", "/static/"):
        assert answer(server, path)[0] == 404


def test_what_no_release_has_had_for_a_month_is_removed(roots: tuple[Path, Path]) -> None:
    own, kept = roots
    release(own, OLD)
    keep(own, kept)
    release(own, NEW)
    long_ago = (kept / OLD).stat().st_mtime - KEPT_FOR - 60
    os.utime(kept / OLD, (long_ago, long_ago))
    assert keep(own, kept) == (1, 1)
    assert not (kept / OLD).exists()
    assert (kept / NEW).exists()
