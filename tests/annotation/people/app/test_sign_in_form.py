"""The first page that everybody sees."""

import re

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_the_address_has_the_focus_and_the_password_is_the_next_tab_stop() -> None:
    page = Client().get(reverse("account_login")).content.decode()
    form = page[page.index('action="/accounts/login/"') :]
    stops = re.findall(r"<(?:a|button|select|textarea|input(?! type=\"hidden\"))\b[^>]*>", form)
    assert 'name="login"' in stops[0]
    assert "autofocus" in stops[0]
    assert 'name="password"' in stops[1]
    assert any(reverse("account_reset_password") in stop for stop in stops[2:])
