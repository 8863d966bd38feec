"""How far a study is, and each of its people."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
