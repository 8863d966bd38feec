"""Every address of closing, results and releases, by subject."""

from django.urls import include, path

urlpatterns = [
    path("", include("analysis.ceremony.urls")),
    path("", include("analysis.report.urls")),
    path("", include("analysis.rating_files.urls")),
    path("", include("analysis.release.urls")),
]
