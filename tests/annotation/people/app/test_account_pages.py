"""Pages and mails about accounts are written as the rest of the site is, also where the package has its own."""

import re
from collections.abc import Iterator
from pathlib import Path

import allauth
import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.factories import a_person

PACKAGE = Path(allauth.__file__).parent / "templates"
OWN = Path(settings.BASE_DIR) / "templates"
# What says nothing by itself, and what this site has not: telephones, security keys, signing up, codes that confirm
# an address, trust in a browser.
WITHOUT_WORDS = re.compile(r"/(base_\w+|base)\.html$|recovery_codes/download\.txt$")
NOT_HERE = re.compile(
    r"phone|webauthn|passkey|signup\.html|trust|snippets/|email_change\.html|account_already_exists|verified_email"
    r"|verification_code|reset_code|email_confirmation_signup|email/password_reset_(message|subject)"
)


def named(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for app in ("account", "mfa")
        for path in (folder / app).rglob("*")
        if path.is_file()
    }


def test_every_page_mail_and_message_about_accounts_has_words_of_this_site() -> None:
    lacking = {name for name in named(PACKAGE) - named(OWN) if not re.search(NOT_HERE, name)}
    assert {name for name in lacking if not WITHOUT_WORDS.search(name)} == set()


def capitals_within(page: str) -> Iterator[str]:
    """Headings, labels and buttons with a capital after their first word, but for names."""
    main = page[page.index("<main") :]
    without_tags = re.sub(r'<span class="tag.*?</span>', "", main, flags=re.DOTALL)
    for words in re.findall(r"<(?:h1|h2|legend|label|summary|button|th)\b[^>]*>(.*?)</", without_tags, re.DOTALL):
        text = " ".join(re.sub(r"<[^>]+>", " ", words).split()).replace("SCRuB Studio", "")
        if re.search(r"\s[A-Z][a-z]", text):
            yield text


@pytest.mark.django_db
def test_pages_about_accounts_have_capitals_where_the_rest_of_the_site_has() -> None:
    client, password = Client(), "a long enough secret"
    person = a_person("Ada Example", password=password)
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=True)
    before = ["account_login", "account_reset_password", "account_request_login_code", "account_inactive"]
    within = ["account_email", "account_change_password", "mfa_index", "mfa_activate_totp"]
    for name in before + within:
        if name == within[0]:
            client.post(reverse("account_login"), {"login": person.email, "password": password})
        page = client.get(reverse(name))
        assert page.status_code == 200, name
        assert list(capitals_within(page.content.decode())) == [], name


@pytest.mark.django_db
def test_whoever_confirms_an_address_is_asked_about_it_by_name_and_told_who_has_it() -> None:
    ada, bo = a_person("Ada Example"), a_person("Bo Example")
    address = EmailAddress.objects.create(user=ada, email="ada@other.example", verified=False)
    link = reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])
    asked = " ".join(Client().get(link).content.decode().split())
    assert f"Is ada@other.example an address of yours, {ada}?" in asked
    EmailAddress.objects.create(user=bo, email="ada@other.example", verified=True)
    refused = Client().get(link).content.decode()
    assert "ada@other.example is confirmed by another account already" in refused
