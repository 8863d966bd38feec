"""The judging room."""

from django.urls import path

from annotation.views import judging

urlpatterns = [
    path("judging/<int:pk>/", judging.show, name="judging_item"),
    path("judging/<int:pk>/open/", judging.open_item, name="judging_open"),
    path("judging/<int:pk>/scores/", judging.score, name="judging_score"),
    path("judging/<int:pk>/submit/", judging.submit, name="judging_submit"),
    path("judging/<int:pk>/receipt/", judging.receipt, name="judging_receipt"),
]
