"""The office of unblinder, and its recovery."""

from django.urls import path

from annotation.unblinders import views

OFFICE = "studies/<slug:slug>/unblinders/"

urlpatterns = [
    path(OFFICE, views.unblinders, name="unblinders"),
    path(f"{OFFICE}propose/", views.propose, name="unblinder_propose"),
    path(f"{OFFICE}<int:pk>/accept/", views.accept, name="unblinder_accept"),
    path(f"{OFFICE}<int:pk>/decline/", views.decline, name="unblinder_decline"),
    path(f"{OFFICE}<int:pk>/withdraw/", views.withdraw_proposal, name="unblinder_withdraw"),
    path(f"{OFFICE}<int:pk>/leave/", views.propose_leaving, name="unblinder_leave"),
    path(f"{OFFICE}changes/<int:pk>/consent/", views.consent, name="office_consent"),
    path(f"{OFFICE}changes/<int:pk>/withdraw/", views.withdraw_change, name="office_withdraw"),
    path(f"{OFFICE}third-person/", views.name_third_person, name="recovery_name"),
    path(f"{OFFICE}third-person/ask/", views.ask_third_person, name="recovery_ask"),
    path("recovery/<str:token>/", views.recover, name="recovery"),
]
