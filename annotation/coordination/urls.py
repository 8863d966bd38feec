"""A study’s course, its people one by one, reminders and the way out of them, and what was paid.

How far a study is joins apps: `scrub_site.views.progress`.
"""

from django.urls import path

from annotation.coordination.views import coordination, flags, honoraria, person, reminders, unsubscribe

urlpatterns = [
    path("studies/<slug:slug>/lock-design/", coordination.lock_design, name="lock_design"),
    path("studies/<slug:slug>/assign-writing/", coordination.assign_writing, name="assign_writing"),
    path("studies/<slug:slug>/close-writing/", coordination.close_writing, name="close_writing"),
    path("studies/<slug:slug>/resume-writing/", coordination.resume_writing, name="resume_writing"),
    path("studies/<slug:slug>/before-judging/", coordination.show_preflight, name="preflight"),
    path("studies/<slug:slug>/open-judging/", coordination.open_judging, name="open_judging"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/", person.person, name="person"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/limits/", person.change_limits, name="person_limits"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/leave/", person.leave, name="person_leave"),
    path("studies/<slug:slug>/people/<slug:pseudonym>/come-back/", person.come_back, name="person_come_back"),
    path("studies/<slug:slug>/flags/", flags.flags, name="flags"),
    path("flags/<int:pk>/settle/", flags.settle, name="flag_settle"),
    path("studies/<slug:slug>/reminders/", reminders.overview, name="reminders"),
    path("studies/<slug:slug>/reminders/preview/", reminders.preview, name="reminder_preview"),
    path("studies/<slug:slug>/reminders/send/", reminders.send, name="reminder_send"),
    path("reminders/<int:pk>/withdraw/", reminders.withdraw, name="reminder_withdraw"),
    path("reminders/stop/<str:token>/", unsubscribe.stop, name="reminders_stop"),
    path("settings/reminders/", unsubscribe.own, name="reminders_own"),
    path("studies/<slug:slug>/own-reminders/", unsubscribe.choose, name="reminders_choose"),
    path("studies/<slug:slug>/honoraria/", honoraria.ledger, name="honoraria"),
    path("studies/<slug:slug>/honoraria.csv", honoraria.ledger_csv, name="honoraria_csv"),
    path("studies/<slug:slug>/honoraria/open/", honoraria.pay_open, name="payments_add"),
    path("studies/<slug:slug>/honoraria/<slug:pseudonym>/", honoraria.pay, name="payment_add"),
    path("payments/<int:pk>/reverse/", honoraria.reverse, name="payment_reverse"),
]
