"""How people enter: invitations, consent, profile; and their own settings."""

from django.urls import path

from annotation.people.views import people, recruiting, unentered

urlpatterns = [
    path("invitations/<str:token>/", people.invitation, name="invitation"),
    path("studies/<slug:slug>/consent/", people.consent, name="consent"),
    path("studies/<slug:slug>/consent/text/", people.consent_text, name="consent_text"),
    path("studies/<slug:slug>/consent/decline/", people.decline, name="consent_decline"),
    path("studies/<slug:slug>/consent/withdraw/", people.withdraw_consent, name="consent_withdraw"),
    path("studies/<slug:slug>/own-data/", people.own_data, name="own_data"),
    path("studies/<slug:slug>/own-data/file/", people.own_data_file, name="own_data_file"),
    path("studies/<slug:slug>/profile/", people.profile, name="profile"),
    path("accounts/signed-in/", people.signed_in, name="signed_in"),
    path("settings/", people.person_settings, name="person_settings"),
    path("administration/<slug:slug>/invite/", unentered.invite_coordinator, name="coordinator_invite"),
    path("administration/<slug:slug>/send-again/", unentered.send_again, name="coordinator_send_again"),
    path("administration/<slug:slug>/withdraw/", unentered.withdraw, name="coordinator_withdraw"),
    path("administration/<slug:slug>/remove/", unentered.remove, name="study_remove"),
    path("studies/<slug:slug>/people/", recruiting.study_people, name="study_people"),
    path("studies/<slug:slug>/people/import/", recruiting.people_import, name="people_import"),
    path("studies/<slug:slug>/invite/", recruiting.invite, name="invite"),
    path("studies/<slug:slug>/invitations/<int:pk>/withdraw/", recruiting.withdraw, name="invitation_withdraw"),
    path("studies/<slug:slug>/invitations/<int:pk>/resend/", recruiting.resend, name="invitation_resend"),
]
