"""Prompts under pressure."""

from django.urls import path

from generation.framing import views

urlpatterns = [
    path("studies/<slug:slug>/pool/framings/", views.framing_sets, name="framing_sets"),
    path("studies/<slug:slug>/pool/framings/<int:pk>/", views.framing_set, name="framing_set"),
    path("studies/<slug:slug>/pool/framings/<int:pk>/plan/", views.plan_framings, name="plan_framings"),
    path("studies/<slug:slug>/pool/framings/prompts/<int:pk>/", views.framed_prompt, name="framed_prompt"),
    path("studies/<slug:slug>/pool/framings/prompts/<int:pk>/check/", views.check_framed, name="check_framed"),
    path("studies/<slug:slug>/pool/framings/prompts/<int:pk>/edit/", views.edit_framed, name="edit_framed"),
    path(
        "studies/<slug:slug>/pool/framings/prompts/<int:pk>/again/", views.ask_framed_again, name="ask_framed_again"
    ),
]
