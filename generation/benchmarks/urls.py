"""Models' part in audits of benchmarks."""

from django.urls import path

from generation.benchmarks import views

urlpatterns = [
    path("studies/<slug:slug>/benchmarks/<int:pk>/models/", views.benchmark_models, name="benchmark_models"),
    path(
        "studies/<slug:slug>/benchmarks/<int:pk>/models/predictions/",
        views.plan_predictions,
        name="benchmark_predictions",
    ),
    path(
        "studies/<slug:slug>/benchmarks/<int:pk>/models/predictions.csv",
        views.prediction_file,
        name="benchmark_prediction_file",
    ),
]
