"""A study's prompts: list, change, import."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
