"""What people have earned and what was paid."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
