"""Who works on what: certificate and repair."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
