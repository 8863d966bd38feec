"""Texts in quarantine."""

from django.urls import path

from annotation.texts import views

urlpatterns = [
    path("studies/<slug:slug>/texts/", views.texts, name="texts"),
    path("texts/<uuid:response>/decide/", views.decide_text, name="decide_text"),
    path("texts/<uuid:response>/edit/", views.edit_text, name="edit_text"),
    path("clearances/<int:pk>/withdraw/", views.withdraw_clearance, name="withdraw_clearance"),
    path("texts/<uuid:response>/versions/", views.edited_text, name="edited_text"),
]
