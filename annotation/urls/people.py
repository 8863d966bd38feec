from django.urls import path

from annotation.views import people

urlpatterns = [
    path("invitations/<str:token>/", people.invitation, name="invitation"),
    path("studies/<slug:slug>/consent/", people.consent, name="consent"),
    path("studies/<slug:slug>/consent/text/", people.consent_text, name="consent_text"),
    path("studies/<slug:slug>/consent/withdraw/", people.withdraw_consent, name="consent_withdraw"),
    path("studies/<slug:slug>/profile/", people.profile, name="profile"),
    path("accounts/signed-in/", people.signed_in, name="signed_in"),
    path("settings/", people.person_settings, name="person_settings"),
]
