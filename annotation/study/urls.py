"""A study's prompts: list, change, import."""

from django.urls import path

from annotation.study.views import prompts as views

urlpatterns = [
    path("studies/<slug:slug>/prompts/", views.study_prompts, name="study_prompts"),
    path("studies/<slug:slug>/prompts/add/", views.add_prompt, name="add_prompt"),
    path("studies/<slug:slug>/prompts/import/", views.prompts_import, name="prompts_import"),
    path("studies/<slug:slug>/prompts/<int:pk>/", views.prompt_edit, name="prompt_edit"),
    path("studies/<slug:slug>/prompts/<int:pk>/remove/", views.prompt_remove, name="prompt_remove"),
]
