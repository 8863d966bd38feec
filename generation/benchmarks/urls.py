"""Models' part in audits of benchmarks."""

from django.urls import path

from generation.benchmarks import views

_MODELS = "studies/<slug:slug>/benchmarks/<int:pk>/models/"

urlpatterns = [
    path(_MODELS, views.benchmark_models, name="benchmark_models"),
    path(f"{_MODELS}predictions/", views.predictions, name="benchmark_predictions"),
    path(f"{_MODELS}rephrasings/", views.rephrasings, name="benchmark_rephrasings"),
    path(f"{_MODELS}rephrased/", views.rephrased, name="benchmark_rephrased"),
    path(f"{_MODELS}marks/", views.model_marks, name="benchmark_model_marks"),
    path(f"{_MODELS}people/<slug:kind>/", views.give_out, name="benchmark_give_out"),
    path(f"{_MODELS}draw/", views.draw, name="benchmark_draw"),
    path(f"{_MODELS}predictions.csv", views.prediction_file, name="benchmark_prediction_file"),
]
