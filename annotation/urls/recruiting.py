"""People before they take part: list, invitations, import."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
