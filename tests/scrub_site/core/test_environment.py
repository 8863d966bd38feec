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
    database,
    demo_mode,
    hosts,
    mail_server,
    number,
    numbers,
    one_of,
    origins,
    proxy_count,
    redis_url,
    secret_key,
    sender,
    site_url,
    switch,
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


class TestValuesThatCannotBeMeant:
    """Each stops the start, with the setting's name and what it looks like; a password is never shown."""

    @pytest.mark.parametrize(
        ("given", "value"), [("", True), (" ", True), ("1", True), ("On", True), ("no", False), ("0", False)]
    )
    def test_a_switch_is_on_or_off_or_as_usual(self, given: str, value: bool) -> None:
        assert switch({"X": given}, "X", default=True) is value

    @pytest.mark.parametrize("given", ["2", "maybe", "ja"])
    def test_a_switch_that_is_neither_on_nor_off_is_refused(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match=f"X must be 1 for on or 0 for off, not '{given}'"):
            switch({"X": given}, "X", default=False)

    def test_a_number_is_whole_and_not_too_small(self) -> None:
        assert (number({}, "X", default=2, least=1), number({"X": " 7 "}, "X", default=2, least=1)) == (2, 7)
        for given in ("0", "-1", "1.5", "zwei", "²"):
            with pytest.raises(ImproperlyConfigured, match="X must be a whole number, 1 or more"):
                number({"X": given}, "X", default=2, least=1)

    def test_numbers_stand_behind_what_they_are_for(self) -> None:
        assert numbers({"X": "tasks=7, sessions = 0,"}, "X") == {"tasks": 7, "sessions": 0}
        for given in ("tasks", "tasks=", "=7", "tasks:7", "tasks=-1", "tasks=7=8"):
            with pytest.raises(ImproperlyConfigured, match="X must look like this=1,that=2"):
                numbers({"X": given}, "X")

    def test_a_choice_is_one_of_those_there_are(self) -> None:
        assert one_of({"X": "warning"}, "X", choices=("INFO", "WARNING"), default="INFO") == "WARNING"
        with pytest.raises(ImproperlyConfigured, match="X must be one of INFO, WARNING, not 'all'"):
            one_of({"X": "all"}, "X", choices=("INFO", "WARNING"), default="INFO")

    @pytest.mark.parametrize("given", ["https://a.example.org", "a.example.org, b.example.org/"])
    def test_a_host_is_no_address(self, given: str) -> None:
        assert hosts("a.example.org, .example.org,127.0.0.1") == ["a.example.org", ".example.org", "127.0.0.1"]
        with pytest.raises(ImproperlyConfigured, match="ALLOWED_HOSTS takes names"):
            hosts(given)

    def test_an_origin_has_its_scheme(self) -> None:
        assert origins("https://a.example.org,http://b") == ["https://a.example.org", "http://b"]
        with pytest.raises(ImproperlyConfigured, match=r"not 'b\.example\.org'"):
            origins("https://a.example.org,b.example.org")

    @pytest.mark.parametrize(
        "given", ["Studio", "Studio, Zürich <studio@example.org>", "a@b@c", "a@b.org, c@d.org"]
    )
    def test_mail_comes_from_one_address(self, given: str) -> None:
        assert sender('"Studio, Zürich" <studio@example.org>')
        with pytest.raises(ImproperlyConfigured, match="DEFAULT_FROM_EMAIL must be one address"):
            sender(given)

    @pytest.mark.parametrize(
        "given",
        [
            "",
            "scrub",
            "mysql://scrub:S3cret@host/scrub",
            "postgres://scrub:S3cret@host:5432",
            "postgres://scrub:S3cret@host:five/scrub",
            "postgres://scrub:S3#cret@host:5432/scrub",
            "postgres://scrub:S3/cret@host:5432/scrub",
            "postgres://scrub:S3?cret@host:5432/scrub",
        ],
    )
    def test_a_databases_address_that_cannot_be_read_is_refused_without_showing_it(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match=r"^DATABASE_URL .*postgres://user:password@host") as refused:
            database(given)
        assert "cret" not in str(refused.value)

    def test_a_databases_address_is_read_with_a_socket_and_with_signs_in_its_password(self) -> None:
        assert database("postgres://scrub@/scrub?host=/tmp/x&port=5432")["NAME"] == "scrub"
        assert database("postgres://scrub:S3%23c@ret@host:5432/scrub")["PASSWORD"] == "S3#c@ret"

    @pytest.mark.parametrize(
        "given", ["", "redis", "http://redis:6379", "redis://:p#w@redis:6379/0", "redis://r:x/0"]
    )
    def test_an_address_that_is_not_that_of_redis_is_refused(self, given: str) -> None:
        assert redis_url("unix:///run/redis.sock?db=1")
        with pytest.raises(ImproperlyConfigured, match=r"REDIS_URL .*redis://host:6379/0"):
            redis_url(given)

    @pytest.mark.parametrize(
        "given",
        [
            "mail.example.org",
            "smtp://",
            "https://mail.example.org",
            "smtp+tls://studio:S3#cret@mail.example.org:587",
            "smtp+tls://studio:S3/cret@mail.example.org:587",
            "smtp+tls://mail.example.org:submission",
        ],
    )
    def test_a_mail_servers_address_that_cannot_be_read_is_refused_without_showing_it(self, given: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="EMAIL_URL holds no address") as refused:
            mail_server(given)
        assert "cret" not in str(refused.value)

    def test_a_mail_servers_address_is_read_with_signs_in_its_password(self) -> None:
        read = mail_server("smtp+tls://studio%40example.org:S3%23c%2Fret@mail.example.org:587")
        assert (read["EMAIL_HOST_USER"], read["EMAIL_HOST_PASSWORD"]) == ("studio@example.org", "S3#c/ret")
        assert mail_server("consolemail://")["EMAIL_BACKEND"].endswith("console.EmailBackend")
