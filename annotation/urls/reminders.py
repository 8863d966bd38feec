"""Reminders, and the way out of them."""

from django.urls import path

from annotation.views import reminders, way_out

urlpatterns = [
    path("studies/<slug:slug>/reminders/", reminders.overview, name="reminders"),
    path("studies/<slug:slug>/reminders/preview/", reminders.preview, name="reminder_preview"),
    path("studies/<slug:slug>/reminders/send/", reminders.send, name="reminder_send"),
    path("reminders/<int:pk>/withdraw/", reminders.withdraw, name="reminder_withdraw"),
    path("reminders/stop/<str:token>/", way_out.stop, name="reminders_stop"),
    path("settings/reminders/", way_out.own, name="reminders_own"),
    path("studies/<slug:slug>/own-reminders/", way_out.choose, name="reminders_choose"),
]
