"""Every address of the site."""

from django.urls import include, path

from scrub_site.views import demo, health, homes, progress

urlpatterns = [
    path("", homes.home, name="home"),
    path("studies/<slug:slug>/", homes.study, name="study"),
    path("studies/<slug:slug>/progress/", progress.progress, name="progress"),
    path("administration/", homes.administration, name="administration"),
    path("accounts/", include("allauth.urls")),
    path("", include("annotation.urls.people")),
    path("", include("annotation.urls.writing")),
    path("", include("annotation.urls.writing_desk")),
    path("", include("annotation.urls.judging")),
    path("", include("annotation.urls.coordination")),
    path("", include("annotation.urls.design")),
    path("", include("annotation.urls.prompts")),
    path("", include("annotation.urls.recruiting")),
    path("", include("annotation.urls.progress")),
    path("", include("annotation.urls.assignment")),
    path("", include("annotation.urls.reminders")),
    path("", include("annotation.urls.honoraria")),
    path("", include("generation.urls")),
    path("", include("analysis.urls")),
    path("health/live/", health.live, name="health_live"),
    path("health/ready/", health.ready, name="health_ready"),
    path("demo/people/", demo.people, name="demo_people"),
    path("demo/people/<int:pk>/sign-in/", demo.sign_in, name="demo_sign_in"),
    path("demo/mail/", demo.mail, name="demo_mail"),
]
