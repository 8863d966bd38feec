from django.urls import path

from annotation.views import coordination as views

urlpatterns = [
    path("studies/<slug:slug>/lock-design/", views.lock_design, name="lock_design"),
    path("studies/<slug:slug>/assign-writing/", views.assign_writing, name="assign_writing"),
    path("studies/<slug:slug>/close-writing/", views.close_writing, name="close_writing"),
    path("studies/<slug:slug>/resume-writing/", views.resume_writing, name="resume_writing"),
    path("studies/<slug:slug>/open-judging/", views.open_judging, name="open_judging"),
    path("studies/<slug:slug>/texts/", views.texts, name="texts"),
    path("texts/<uuid:response>/decide/", views.decide_text, name="decide_text"),
]
