from django.urls import path

from generation.views import runs

urlpatterns = [
    path("studies/<slug:slug>/runs/plan/", runs.plan_run, name="plan_run"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/start/", runs.start_run, name="start_run"),
    path("runs/<int:pk>/stop/", runs.stop_run, name="stop_run"),
]
