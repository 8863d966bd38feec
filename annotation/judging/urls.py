"""The judging room, and the guesses after it."""

from django.urls import path

from annotation.judging.views import flags, guessing, judging

urlpatterns = [
    path("judging/<int:pk>/", judging.show, name="judging_item"),
    path("judging/<int:pk>/open/", judging.open_item, name="judging_open"),
    path("judging/<int:pk>/state/", judging.state, name="judging_state"),
    path("judging/<int:pk>/save/", judging.save, name="judging_save"),
    path("judging/<int:pk>/submit/", judging.submit, name="judging_submit"),
    path("judging/<int:pk>/reopen/", judging.reopen, name="judging_reopen"),
    path("judging/<int:pk>/receipt/", judging.receipt, name="judging_receipt"),
    path("judging/<int:pk>/answers/", judging.answers, name="judging_answers"),
    path("judging/<int:pk>/flag/", flags.flag, name="judging_flag"),
    path("judging/<int:pk>/guesses/", guessing.guesses, name="judging_guesses"),
]
