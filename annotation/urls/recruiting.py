"""People before they take part: list, invitations, import."""

from django.urls import path

from annotation.views import recruiting as views

urlpatterns = [
    path("studies/<slug:slug>/people/", views.study_people, name="study_people"),
    path("studies/<slug:slug>/people/import/", views.people_import, name="people_import"),
    path("studies/<slug:slug>/invite/", views.invite, name="invite"),
    path("studies/<slug:slug>/invitations/<int:pk>/withdraw/", views.withdraw, name="invitation_withdraw"),
    path("studies/<slug:slug>/invitations/<int:pk>/resend/", views.resend, name="invitation_resend"),
]
