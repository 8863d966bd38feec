"""The writing room."""

from django.urls import path

from annotation.views import remarks, writing

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
    path("writing/<int:pk>/feedback/", remarks.prompt_feedback, name="prompt_feedback"),
    path("writing/<int:pk>/process-comment/", remarks.process_comment, name="process_comment"),
    path("studies/<slug:slug>/own-feedback/", remarks.study_feedback, name="study_feedback"),
]
