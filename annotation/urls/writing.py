"""The writing room."""

from django.urls import path

from annotation.views import writing

urlpatterns = [
    path("writing/<int:pk>/start/", writing.start, name="writing_start"),
    path("writing/<int:pk>/begin/", writing.begin, name="writing_begin"),
    path("writing/<int:pk>/", writing.room, name="writing_room"),
    path("writing/<int:pk>/save/", writing.save, name="writing_save"),
    path("writing/<int:pk>/submit/", writing.submit, name="writing_submit"),
    path("writing/<int:pk>/receipt/", writing.receipt, name="writing_receipt"),
]
