"""Every address of people, writing, judging and coordination, by subject."""

from django.urls import include, path

urlpatterns = [
    path("", include("annotation.people.urls")),
    path("", include("annotation.unblinders.urls")),
    path("", include("annotation.writing.urls")),
    path("", include("annotation.judging.urls")),
    path("", include("annotation.texts.urls")),
    path("", include("annotation.design.urls")),
    path("", include("annotation.notifications.urls")),
    path("", include("annotation.study.urls")),
    path("", include("annotation.assignment.urls")),
    path("", include("annotation.coordination.urls")),
]
