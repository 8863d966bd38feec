"""What every answer says to the browser, and what no page contains, whoever asks for it."""

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from scrub_site.static_files import inline_scripts
from tests.clients import signed_in
from tests.factories import a_person
from tests.scrub_site.crawl.crawl import Visit

IN_PAGES = ("platform/theme.js", "judging/judging-restore.js")


def sha256_of(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


POLICY = {
    "default-src": "'none'",
    "script-src": " ".join(["'self'", *(sha256_of(inline_scripts.text(name)) for name in IN_PAGES)]),
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "manifest-src": "'self'",
}
IN_A_FRAME = {
    "account_login",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_reset_password",
    "account_reset_password_done",
    "mfa_authenticate",
    "demo_people",
    "signed_in",
}
TOKEN = re.compile(r'(csrfmiddlewaretoken" value=")\w+')
ROOMS = {"judging_item", "judging_submit", "writing_room"}
LOADING = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}


class Findings(HTMLParser):
    """Whatever in a page the policy would block, or that lets somebody else in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.is_in_script = False
        self.unprotected: str | None = None  # the opening tag of a posting form whose token is still to come
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.found += self._attributes(tag, values)
        if tag == "style":
            self.found.append("<style>")
        self.is_in_script = tag == "script" and "src" not in values and values.get("type") != "application/json"
        if tag == "form" and values.get("method", "").lower() == "post":
            self.unprotected = self.get_starttag_text()
        if values.get("name") == "csrfmiddlewaretoken":
            self.unprotected = None

    def handle_data(self, data: str) -> None:
        if self.is_in_script and sha256_of(data) not in POLICY["script-src"].split():
            self.found.append(f"a script in the page: {data[:40]}")

    def handle_endtag(self, tag: str) -> None:
        self.is_in_script = False
        if tag == "form" and self.unprotected:
            self.found.append(f"without token: {self.unprotected}")
            self.unprotected = None

    def _attributes(self, tag: str, values: dict[str, str]) -> Iterator[str]:
        for name, value in values.items():
            if name == "style" or name.startswith("on"):
                yield f"<{tag} {name}=…>"
            if value.strip().lower().startswith("javascript:"):
                yield f"<{tag} {name}={value}>"
        target = values.get(LOADING.get(tag, ""), "")
        if target.startswith(("http:", "https:", "//")):
            yield f"<{tag}> loads {target}"


def policy_of(headers: Mapping[str, str]) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in headers["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in parts}


def test_every_answer_carries_the_policy_and_no_other_source(visits: list[Visit]) -> None:
    def allowed(visit: Visit) -> dict[str, str]:
        if visit.route.name in IN_A_FRAME:
            return {**POLICY, "frame-ancestors": "'self'"}
        if visit.route.name in ROOMS:
            return {**POLICY, "frame-src": "'self'"}
        return POLICY

    assert [str(visit) for visit in visits if policy_of(visit.headers) != allowed(visit)] == []


def test_only_the_pages_of_a_sign_in_may_stand_in_a_frame_and_only_in_one_of_ours(visits: list[Visit]) -> None:
    framed = {visit.route.name for visit in visits if visit.headers["X-Frame-Options"] != "DENY"}

    assert framed == IN_A_FRAME
    assert {visit.headers["X-Frame-Options"] for visit in visits} == {"DENY", "SAMEORIGIN"}


@pytest.mark.django_db
def test_a_refusal_on_the_way_through_a_sign_in_may_stand_in_the_frame_too() -> None:
    refusal = Client(enforce_csrf_checks=True).post(reverse("account_login"))

    assert refusal.status_code == 403
    assert refusal["X-Frame-Options"] == "SAMEORIGIN"
    assert policy_of(refusal.headers)["frame-ancestors"] == "'self'"


@pytest.mark.parametrize(
    ("header", "allowed"),
    [
        ("X-Content-Type-Options", {"nosniff"}),
        ("Referrer-Policy", {"same-origin", "origin"}),
        ("Cross-Origin-Opener-Policy", {"same-origin"}),
    ],
)
def test_every_answer_carries_each_header_with_a_value_that_is_allowed(
    visits: list[Visit], header: str, allowed: set[str]
) -> None:
    assert [str(visit) for visit in visits if visit.headers.get(header) not in allowed] == []


def test_no_page_has_inline_script_or_style_or_loads_from_elsewhere(visits: list[Visit]) -> None:
    # Pages that differ in their tokens alone are one.
    pages = {TOKEN.sub(r"\1token", visit.body): visit for visit in visits if visit.is_page}
    found = {str(visit): findings for page, visit in pages.items() if (findings := Findings(page).found)}

    assert len(pages) > 100
    assert found == {}


@pytest.mark.parametrize(
    ("page", "finding"),
    [
        ('<p style="color: red">', "<p style=…>"),
        ('<a onclick="go()">', "<a onclick=…>"),
        ('<a href=" JavaScript:go()">', "<a href= JavaScript:go()>"),
        ("<script>go()</script>", "a script in the page: go()"),
        ("<style>p {}</style>", "<style>"),
        ('<script src="https://cdn.example/x.js"></script>', "<script> loads https://cdn.example/x.js"),
        ('<form method="POST"><input name="a"></form>', 'without token: <form method="POST">'),
    ],
)
def test_the_search_finds_what_it_looks_for(page: str, finding: str) -> None:
    assert Findings(page).found == [finding]


def test_the_search_lets_data_and_own_files_pass() -> None:
    page = (
        '<script type="application/json">{}</script><script src="/static/js/x.js"></script>'
        '<form method="post"><input name="csrfmiddlewaretoken"></form><form method="get"></form>'
        '<a href="https://example.org/">elsewhere</a>'
    )
    assert Findings(page).found == []


@pytest.mark.django_db
def test_scripts_cannot_read_the_session_cookie_and_other_sites_cannot_post_with_it() -> None:
    person = a_person(password="a long enough secret")
    credentials = {"login": person.email, "password": "a long enough secret"}
    cookie = Client().post(reverse("account_login"), credentials).cookies["sessionid"]

    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["person_settings", "account_logout"])
def test_a_post_without_token_is_refused(name: str) -> None:
    client = signed_in(a_person(), Client(enforce_csrf_checks=True))

    assert client.post(reverse(name)).status_code == 403


@pytest.mark.parametrize(
    ("address", "expected"),
    [("https://studio.example", "True True True"), ("http://127.0.0.1:8000", "False False False")],
)
def test_an_https_site_keeps_its_cookies_and_visitors_on_https(address: str, expected: str) -> None:
    show = (
        "from django.conf import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "scrub_site.settings", "SITE_URL": address}
    shown = subprocess.run(
        [sys.executable, "-c", show], env=environment, capture_output=True, text=True, check=True
    )

    assert shown.stdout.strip() == expected
