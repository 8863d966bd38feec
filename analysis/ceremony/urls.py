"""Closing, unblinding, and the record of it."""

from django.urls import path

from analysis.ceremony import views

urlpatterns = [
    path("studies/<slug:slug>/close/", views.close_study, name="close_study"),
    path("studies/<slug:slug>/unblinding/", views.request_unblinding, name="request_unblinding"),
    path("unblinding/<int:pk>/decide/", views.decide_unblinding, name="decide_unblinding"),
    path("studies/<slug:slug>/judgments.csv", views.judgments_csv, name="judgments_csv"),
    path("studies/<slug:slug>/record/", views.record, name="study_record"),
]
