from django.urls import path

from generation.views import calls, models, runs, templates, texts

urlpatterns = [
    path("studies/<slug:slug>/models/", models.study_models, name="study_models"),
    path("studies/<slug:slug>/models/add/", models.target_add, name="target_add"),
    path("studies/<slug:slug>/models/<int:pk>/", models.target_change, name="target_change"),
    path("studies/<slug:slug>/models/<int:pk>/retire/", models.target_retire, name="target_retire"),
    path("studies/<slug:slug>/templates/", templates.study_templates, name="study_templates"),
    path("studies/<slug:slug>/templates/<str:name>/", templates.template_edit, name="template_edit"),
    path("studies/<slug:slug>/templates/<str:name>/restore/", templates.template_restore, name="template_restore"),
    path("studies/<slug:slug>/runs/", runs.study_runs, name="study_runs"),
    path("studies/<slug:slug>/runs/plan/", runs.plan_run, name="plan_run"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/start/", runs.start_run, name="start_run"),
    path("runs/<int:pk>/stop/", runs.stop_run, name="stop_run"),
    path("runs/<int:pk>/retry/", runs.retry_run, name="retry_run"),
    path("runs/<int:pk>/withdraw/", runs.withdraw_run, name="withdraw_run"),
    path("runs/<int:pk>/calls/", calls.run_calls, name="run_calls"),
    path("calls/<int:pk>/", calls.call, name="call"),
    path("texts/<uuid:response>/regenerate/", texts.regenerate_text, name="regenerate_text"),
]
