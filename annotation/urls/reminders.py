"""Reminders, and the way out of them."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
