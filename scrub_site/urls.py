"""Every address of the site."""

from django.urls import include, path

from scrub_site.views import demo, health, homes, progress

urlpatterns = [
    path("", homes.home, name="home"),
    path("studies/<slug:slug>/", homes.study, name="study"),
    path("studies/<slug:slug>/progress/", progress.progress, name="progress"),
    path("administration/", homes.administration, name="administration"),
    path("accounts/", include("allauth.urls")),
    path("", include("annotation.urls")),
    path("", include("generation.urls")),
    path("", include("analysis.urls")),
    path("health/live/", health.live, name="health_live"),
    path("health/proxy/", health.proxy, name="health_proxy"),
    path("health/ready/", health.ready, name="health_ready"),
    path("demo/people/", demo.people, name="demo_people"),
    path("demo/people/<int:pk>/sign-in/", demo.sign_in, name="demo_sign_in"),
    path("demo/mail/", demo.mail, name="demo_mail"),
]

handler500 = "scrub_site.views.errors.site_error"
