"""Asking for another answer."""

from django.urls import path

from generation.answers import views

urlpatterns = [
    path("texts/<uuid:response>/regenerate/", views.regenerate_text, name="regenerate_text"),
]
