"""Every address of sources, prompts and models, by subject."""

from django.urls import include, path

urlpatterns = [
    path("", include("generation.calls.urls")),
    path("", include("generation.catalogue.urls")),
    path("", include("generation.answers.urls")),
    path("", include("generation.prompts.urls")),
    path("", include("generation.framing.urls")),
    path("", include("generation.trials.urls")),
    path("", include("generation.benchmarks.urls")),
    path("", include("generation.sources.urls")),
]
