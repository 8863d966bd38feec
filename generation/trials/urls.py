"""Constitutional trials."""

from django.urls import path

from generation.trials import coding_views, views

urlpatterns = [
    path("studies/<slug:slug>/trials/", views.trial_scenarios, name="trial_scenarios"),
    path("studies/<slug:slug>/trials/scenarios/import/", views.import_scenarios, name="trial_scenarios_import"),
    path("studies/<slug:slug>/trials/scenarios/examples/", views.take_examples, name="trial_scenarios_examples"),
    path("studies/<slug:slug>/trials/validation/", views.prepare_validation, name="trial_validation"),
    path(
        "studies/<slug:slug>/trials/scenarios/<int:pk>/remove/", views.remove_scenario, name="trial_scenario_remove"
    ),
    path("studies/<slug:slug>/trials/conditions/", views.trial_conditions, name="trial_conditions"),
    path("studies/<slug:slug>/trials/cases/", views.make_cases, name="trial_cases"),
    path("studies/<slug:slug>/trials/approaches/", views.trial_approaches, name="trial_approaches"),
    path("studies/<slug:slug>/trials/answers/", views.plan_answers, name="trial_answers"),
    path("studies/<slug:slug>/trials/conclusions/", coding_views.trial_conclusions, name="trial_conclusions"),
    path("studies/<slug:slug>/trials/conclusions/models/", coding_views.plan_codes, name="plan_conclusions"),
    path(
        "studies/<slug:slug>/trials/conclusions/<int:place>/", coding_views.code_conclusion, name="code_conclusion"
    ),
    path(
        "studies/<slug:slug>/trials/conclusions/<int:place>/settle/",
        coding_views.settle_conclusion,
        name="settle_conclusion",
    ),
    path(
        "studies/<slug:slug>/trials/conclusions/categories/<int:pk>/",
        coding_views.set_categories,
        name="trial_categories",
    ),
]
