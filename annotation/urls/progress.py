"""The people of a study, one by one. How far the study is, joins apps: `scrub_site.views.progress`."""

from django.urls import path

from annotation.views import person as views

urlpatterns = [
    path("studies/<slug:slug>/people/<str:pseudonym>/", views.person, name="person"),
    path("studies/<slug:slug>/people/<str:pseudonym>/limits/", views.change_limits, name="person_limits"),
    path("studies/<slug:slug>/people/<str:pseudonym>/leave/", views.leave, name="person_leave"),
    path("studies/<slug:slug>/people/<str:pseudonym>/come-back/", views.come_back, name="person_come_back"),
]
