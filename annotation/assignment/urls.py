"""Who works on what: certificate and repair."""

from django.urls import path

from annotation.assignment.views import certificate, repair

urlpatterns = [
    path("studies/<slug:slug>/assignment/", certificate.show, name="certificate"),
    path("studies/<slug:slug>/assignment/certificate.json", certificate.as_json, name="certificate_json"),
    path("studies/<slug:slug>/assignment/repair/", repair.show, name="repair"),
    path("studies/<slug:slug>/assignment/repair/apply/", repair.apply, name="repair_apply"),
]
