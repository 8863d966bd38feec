"""Releases."""

from django.urls import path

from analysis.release import views

urlpatterns = [
    path("public/<slug:slug>/", views.public, name="public_study"),
    path("public/<slug:slug>/design.json", views.public_design, name="public_design"),
    path("public/<slug:slug>/release-<int:number>.zip", views.public_release, name="public_release"),
    path("studies/<slug:slug>/releases/", views.releases, name="releases"),
    path("studies/<slug:slug>/releases/prepare/", views.prepare, name="prepare_release"),
    path("releases/<int:pk>/", views.release, name="release"),
    path("releases/<int:pk>/publish/", views.publish, name="publish_release"),
    path("releases/<int:pk>/archive.zip", views.archive, name="release_archive"),
]
