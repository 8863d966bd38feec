from django.urls import path

from annotation.views import coordination, texts

urlpatterns = [
    path("studies/<slug:slug>/lock-design/", coordination.lock_design, name="lock_design"),
    path("studies/<slug:slug>/assign-writing/", coordination.assign_writing, name="assign_writing"),
    path("studies/<slug:slug>/close-writing/", coordination.close_writing, name="close_writing"),
    path("studies/<slug:slug>/resume-writing/", coordination.resume_writing, name="resume_writing"),
    path("studies/<slug:slug>/open-judging/", coordination.open_judging, name="open_judging"),
    path("studies/<slug:slug>/texts/", texts.texts, name="texts"),
    path("texts/<uuid:response>/decide/", texts.decide_text, name="decide_text"),
    path("texts/<uuid:response>/edit/", texts.edit_text, name="edit_text"),
    path("texts/<uuid:response>/versions/", texts.edited_text, name="edited_text"),
]
