from django.urls import path

from analysis.views import ceremony

urlpatterns = [
    path("studies/<slug:slug>/close/", ceremony.close_study, name="close_study"),
    path("studies/<slug:slug>/unblinding/", ceremony.request_unblinding, name="request_unblinding"),
    path("unblinding/<int:pk>/decide/", ceremony.decide_unblinding, name="decide_unblinding"),
    path("studies/<slug:slug>/results/", ceremony.results, name="results"),
    path("studies/<slug:slug>/judgments.csv", ceremony.judgments_csv, name="judgments_csv"),
    path("studies/<slug:slug>/release/", ceremony.publish_release, name="publish_release"),
]
