"""Models that a study works with, runs of calls to them, and single calls."""

from django.urls import path

from generation.calls.views import calls, runs
from generation.calls.views import targets as models

urlpatterns = [
    path("studies/<slug:slug>/models/", models.study_models, name="study_models"),
    path("studies/<slug:slug>/models/add/", models.target_add, name="target_add"),
    path("studies/<slug:slug>/models/<int:pk>/", models.target_change, name="target_change"),
    path("studies/<slug:slug>/models/<int:pk>/retire/", models.target_retire, name="target_retire"),
    path("studies/<slug:slug>/runs/", runs.study_runs, name="study_runs"),
    path("studies/<slug:slug>/runs/plan/", runs.plan_run, name="plan_run"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/start/", runs.start_run, name="start_run"),
    path("runs/<int:pk>/stop/", runs.stop_run, name="stop_run"),
    path("runs/<int:pk>/retry/", runs.retry_run, name="retry_run"),
    path("runs/<int:pk>/settle/", runs.settle_run, name="settle_run"),
    path("runs/<int:pk>/withdraw/", runs.withdraw_run, name="withdraw_run"),
    path("runs/<int:pk>/calls/", calls.run_calls, name="run_calls"),
    path("calls/<int:pk>/", calls.call, name="call"),
    path("calls/<int:pk>/ask-once-more/", calls.ask_once_more, name="ask_once_more"),
]
