"""The design of a study: parameters, rubric, consent, its clone, its protocol on paper."""

from django.urls import path

from annotation.design.views import design, protocol

urlpatterns = [
    path("set-up-a-study/", design.new_study, name="new_study"),
    path("studies/<slug:slug>/design/", design.overview, name="study_design"),
    path("studies/<slug:slug>/design/preview/", design.preview, name="design_preview"),
    path("studies/<slug:slug>/design/fill-in/<slug:preset>/", design.fill_in, name="design_fill_in"),
    path("studies/<slug:slug>/design/rubric/", design.rubric, name="rubric_preview"),
    path("studies/<slug:slug>/design/rubric/choose/", design.choose_rubric, name="rubric_choose"),
    path("studies/<slug:slug>/design/consent-and-profile/", design.participants, name="participants_preview"),
    path("studies/<slug:slug>/design/sections/<slug:key>/", design.section, name="design_section"),
    path("studies/<slug:slug>/clone/", design.clone, name="study_clone"),
    path("studies/<slug:slug>/archive/", design.archive, name="study_archive"),
    path("studies/<slug:slug>/bring-back/", design.bring_back, name="study_bring_back"),
    path("studies/<slug:slug>/public/", design.show_publicly, name="study_show_publicly"),
    path("studies/<slug:slug>/protocol/", protocol.protocol, name="study_protocol"),
    path("studies/<slug:slug>/protocol/design.json", protocol.design_json, name="design_json"),
]
