"""The templates that models are asked by."""

from django.urls import path

from generation.catalogue import views

urlpatterns = [
    path("studies/<slug:slug>/templates/", views.study_templates, name="study_templates"),
    path("studies/<slug:slug>/templates/<str:name>/", views.template_edit, name="template_edit"),
    path("studies/<slug:slug>/templates/<str:name>/restore/", views.template_restore, name="template_restore"),
]
