"""What the environment may tell the settings, and what keeps the site from starting."""

import re
import secrets
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from scripts.inventory.source import tracked
from scrub_site.environment import (
    KEY_FOR_DEBUG,
    MAX_PROXIES,
    PUBLISHED_KEYS,
    SECRETS,
    demo_mode,
    proxy_count,
    secret_key,
    site_url,
    with_secrets,
)
from tests.folders import PROJECT

# A value of at least fifty characters behind the setting's name, in any file's way of writing it.
WRITTEN_KEY = re.compile(r"""SECRET_KEY["']?\s*(?:[:=,]|\bto\b)+\s*["'`]?([^\s"'`]{50,})""")


class TestSecretKey:
    def test_a_key_that_is_long_and_random_is_taken_as_it_is(self) -> None:
        key = secrets.token_urlsafe(50)
        assert secret_key(key, debug=False) == key

    @pytest.mark.parametrize("given", ["", " ", "check", "unused", ("k3Q9mZ7xB1" * 5)[:49], " " * 60])
    def test_a_key_that_is_missing_or_short_is_refused_with_what_to_do(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="Set SECRET_KEY to a long random text of your own"):
            secret_key(given, debug=False)

    @pytest.mark.parametrize("given", [*PUBLISHED_KEYS, KEY_FOR_DEBUG + "\n", "django-insecure-" + "k3#9" * 20])
    def test_a_key_that_is_published_is_refused(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="this one is published"):
            secret_key(given, debug=False)

    @pytest.mark.parametrize("given", ["x" * 60, "abcd" * 20, "changeme-" * 6 + "12345", "0123456789" * 6])
    def test_a_key_that_repeats_a_few_characters_is_refused(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="repeats"):
            secret_key(given, debug=False)

    @pytest.mark.parametrize("given", ["", "check"])
    def test_a_key_need_not_be_good_with_debug(self, given: str) -> None:
        assert secret_key(given, debug=True) == (given or KEY_FOR_DEBUG)

    def test_a_key_that_stands_in_a_file_of_the_project_is_refused(self) -> None:
        texts = [(PROJECT / name).read_text("utf-8", errors="ignore") for name in tracked()]
        for key in {key for text in texts for key in WRITTEN_KEY.findall(text)}:
            with pytest.raises(ImproperlyConfigured):
                secret_key(key, debug=False)


class TestSecretsInFiles:
    @pytest.mark.parametrize("name", SECRETS)
    def test_a_secret_is_read_from_the_file_that_is_named_whatever_the_variable_says(
        self, name: str, tmp_path: Path
    ) -> None:
        (tmp_path / "secret").write_text(f"smtp://müller@host {name}\n", encoding="utf-8")
        given = {name: "of before", f"{name}_FILE": str(tmp_path / "secret"), "PORT": "1"}
        assert with_secrets(given) == {**given, name: f"smtp://müller@host {name}"}

    def test_an_environment_that_names_no_file_stays_as_it_is(self) -> None:
        given = {"SECRET_KEY": "one", "SECRET_KEY_FILE": "", "SITE_URL_FILE": "/nowhere"}
        assert with_secrets(given) == given

    @pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff\xfe"])
    def test_a_file_that_holds_no_secret_stops_the_start_and_is_named(
        self, content: bytes | None, tmp_path: Path
    ) -> None:
        file = tmp_path / "secret"
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(ImproperlyConfigured, match=f"EMAIL_URL_FILE names {re.escape(str(file))}, which"):
            with_secrets({"EMAIL_URL_FILE": str(file)})


class TestDemoMode:
    @pytest.mark.parametrize(("wanted", "debug"), [(True, True), (False, True), (False, False)])
    def test_a_demonstration_starts_with_debug_and_only_where_it_is_wanted(self, wanted: bool, debug: bool) -> None:
        assert demo_mode(wanted=wanted, debug=debug) is wanted

    def test_a_demonstration_without_debug_is_refused_with_what_to_do(self) -> None:
        with pytest.raises(ImproperlyConfigured, match=r"needs DEBUG=1 beside it.* Remove DEMO_MODE"):
            demo_mode(wanted=True, debug=False)


class TestSiteUrl:
    @pytest.mark.parametrize(
        ("given", "taken"),
        [
            ("https://studio.example.org", "https://studio.example.org"),
            ("https://studio.example.org/", "https://studio.example.org"),
            (" http://localhost:8000\n", "http://localhost:8000"),
            ("http://[::1]:8000", "http://[::1]:8000"),
        ],
    )
    def test_a_site_has_a_scheme_and_a_host(self, given: str, taken: str) -> None:
        assert site_url(given) == taken

    @pytest.mark.parametrize(
        "given",
        [
            "",
            "studio.example.org",
            "//studio.example.org",
            "ftp://studio.example.org",
            "https://",
            "https://studio.example.org/studio",
            "https://studio.example.org?a=b",
            "https://studio.example.org:port",
            "https://somebody@studio.example.org",
            "https://[studio",
        ],
    )
    def test_a_site_without_scheme_or_host_or_with_more_is_refused_with_an_example(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match=r"SITE_URL must be .* https://studio\.example\.org"):
            site_url(given)


class TestProxyCount:
    @pytest.mark.parametrize(("given", "number"), [("", 0), ("0", 0), (" 2 ", 2), (str(MAX_PROXIES), MAX_PROXIES)])
    def test_proxies_are_a_small_whole_number(self, given: str, number: int) -> None:
        assert proxy_count(given) == number

    @pytest.mark.parametrize("given", ["-1", "1.5", "one", "true", "10.0.0.1", "1,2", "11", "9" * 30, "²", "٣"])
    def test_proxies_that_are_no_such_number_are_refused(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="TRUSTED_PROXY_COUNT must be the number of proxies"):
            proxy_count(given)
