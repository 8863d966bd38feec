"""A study's mails at changes of phase."""

from django.urls import path

from annotation.notifications import views

urlpatterns = [
    path("studies/<slug:slug>/mails/", views.overview, name="notifications"),
    path("studies/<slug:slug>/mails/<slug:occasion>/", views.wording, name="notification"),
]
