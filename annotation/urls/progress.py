"""The people of a study, one by one. How far the study is, joins apps: `scrub_site.views.progress`."""

from django.urls import path

from annotation.views import person as views

urlpatterns = [
    path("studies/<slug:slug>/people/<slug:pseudonym>/", views.person, name="person"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/limits/", views.change_limits, name="person_limits"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/leave/", views.leave, name="person_leave"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/come-back/", views.come_back, name="person_come_back"),
]
