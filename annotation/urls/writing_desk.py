"""The coordinator's side of writing."""

from django.urls import path

from annotation.views import writing_actions as actions
from annotation.views import writing_desk as views

urlpatterns = [
    path("studies/<slug:slug>/writing/", views.desk, name="writing_desk"),
    path("studies/<slug:slug>/writing/extra-minutes/", actions.grant_minutes, name="writing_grant_minutes"),
    path("studies/<slug:slug>/writing/outages/", actions.decide_outage, name="writing_decide_outage"),
    path("writing/<int:pk>/record/", views.answer, name="writing_answer"),
    path("writing/<int:pk>/history/", views.history, name="writing_history"),
    path("late-texts/<int:pk>/decide/", actions.decide_late, name="writing_decide_late"),
    *(
        path(f"writing/<int:pk>/{name.replace('_', '-')}/", actions.act, {"action": name}, name=f"writing_{name}")
        for name in actions.ACTIONS
    ),
]
