"""Benchmarks that a study audits."""

from django.urls import path

from annotation.benchmarks.views import benchmarks as views
from annotation.benchmarks.views import marks, reviews, rulings

urlpatterns = [
    path("studies/<slug:slug>/benchmarks/", views.benchmarks, name="benchmarks"),
    path("studies/<slug:slug>/benchmarks/add/<slug:layout>/", views.benchmark_add, name="benchmark_add"),
    path("studies/<slug:slug>/benchmarks/<int:pk>/", views.benchmark, name="benchmark"),
    path(
        "studies/<slug:slug>/benchmarks/<int:pk>/stories/<int:number>/",
        views.benchmark_story,
        name="benchmark_story",
    ),
    path("studies/<slug:slug>/benchmarks/<int:pk>/remove/", views.benchmark_remove, name="benchmark_remove"),
    path("studies/<slug:slug>/benchmarks/<int:pk>/rules/", views.benchmark_rules, name="benchmark_rules"),
    path("studies/<slug:slug>/benchmarks/pass-on/", views.benchmarks_pass_on, name="benchmarks_pass_on"),
    path("annotating/<int:pk>/", reviews.review, name="review"),
    path("annotating/<int:pk>/state/", reviews.review_state, name="review_state"),
    path("annotating/<int:pk>/save/", reviews.review_save, name="review_save"),
    path(
        "studies/<slug:slug>/benchmarks/<int:pk>/adjudicate/", rulings.open_adjudication, name="open_adjudication"
    ),
    path("studies/<slug:slug>/benchmarks/<int:pk>/freeze/", rulings.freeze_subsets, name="freeze_subsets"),
    path(
        "studies/<slug:slug>/benchmarks/<int:pk>/subsets/<slug:kind>/<str:name>",
        rulings.subset_file,
        name="subset_file",
    ),
    path("studies/<slug:slug>/benchmarks/<int:pk>/<slug:name>.csv", rulings.audit_file, name="audit_file"),
    path("adjudicating/<int:pk>/", rulings.ruling, name="ruling"),
    path("adjudicating/<int:pk>/rule/", rulings.rule, name="rule"),
    path("marking/<int:pk>/", marks.mark, name="mark"),
    path("marking/<int:pk>/save/", marks.mark_save, name="mark_save"),
]
