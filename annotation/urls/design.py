"""The design of a study: parameters, rubric, consent, its clone, its protocol on paper."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
