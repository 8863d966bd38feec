"""The writing room, and the coordinator’s desk beside it."""

from django.urls import path

from annotation.writing.views import flags, remarks, rewordings, writing, writing_actions, writing_desk

urlpatterns = [
    path("studies/<slug:slug>/practice/", writing.practice, name="writing_practice"),
    path("writing/<int:pk>/start/", writing.start, name="writing_start"),
    path("writing/<int:pk>/begin/", writing.begin, name="writing_begin"),
    path("writing/<int:pk>/", writing.room, name="writing_room"),
    path("writing/<int:pk>/pen/", writing.pen, name="writing_pen"),
    path("writing/<int:pk>/state/", writing.state, name="writing_state"),
    path("writing/<int:pk>/save/", writing.save, name="writing_save"),
    path("writing/<int:pk>/submit/", writing.submit, name="writing_submit"),
    path("writing/<int:pk>/receipt/", writing.receipt, name="writing_receipt"),
    path("writing/<int:pk>/flag/", flags.flag, name="writing_flag"),
    path("writing/<int:pk>/feedback/", remarks.prompt_feedback, name="prompt_feedback"),
    path("writing/<int:pk>/process-comment/", remarks.process_comment, name="process_comment"),
    path("studies/<slug:slug>/own-feedback/", remarks.study_feedback, name="study_feedback"),
    path("studies/<slug:slug>/writing/", writing_desk.desk, name="writing_desk"),
    path("studies/<slug:slug>/writing/extra-minutes/", writing_actions.grant_minutes, name="writing_grant_minutes"),
    path("studies/<slug:slug>/writing/outages/", writing_actions.decide_outage, name="writing_decide_outage"),
    path("studies/<slug:slug>/prompts/<int:pk>/history/", rewordings.prompt_history, name="prompt_history"),
    path("writing/<int:pk>/rewording/", rewordings.decide_rewording, name="writing_rewording"),
    path("writing/<int:pk>/record/", writing_desk.answer, name="writing_answer"),
    path("writing/<int:pk>/history/", writing_desk.history, name="writing_history"),
    path("late-texts/<int:pk>/decide/", writing_actions.decide_late, name="writing_decide_late"),
    *(
        path(
            f"writing/<int:pk>/{name.replace('_', '-')}/",
            writing_actions.act,
            {"action": name},
            name=f"writing_{name}",
        )
        for name in writing_actions.ACTIONS
    ),
]
