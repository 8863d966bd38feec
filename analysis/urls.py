from django.urls import path

from analysis.ceremony import views as ceremony
from analysis.release import views as releases
from analysis.report.views import run_files, runs

urlpatterns = [
    path("studies/<slug:slug>/close/", ceremony.close_study, name="close_study"),
    path("studies/<slug:slug>/unblinding/", ceremony.request_unblinding, name="request_unblinding"),
    path("unblinding/<int:pk>/decide/", ceremony.decide_unblinding, name="decide_unblinding"),
    path("studies/<slug:slug>/results/", runs.results, name="results"),
    path("studies/<slug:slug>/results/compute/", runs.compute_results, name="compute_results"),
    path("studies/<slug:slug>/results/runs/", runs.run_list, name="run_list"),
    path("studies/<slug:slug>/results/comparison/", runs.compare_runs, name="compare_runs"),
    path("studies/<slug:slug>/results/comparison/differences.csv", runs.comparison_csv, name="comparison_csv"),
    path("studies/<slug:slug>/results/<int:number>/again/", runs.run_again, name="run_again"),
    path("studies/<slug:slug>/results/<int:number>/files/<path:name>", run_files.run_file, name="run_file"),
    path("studies/<slug:slug>/results/<int:number>/all.zip", run_files.run_archive, name="run_archive"),
    path("studies/<slug:slug>/judgments.csv", ceremony.judgments_csv, name="judgments_csv"),
    path("studies/<slug:slug>/record/", ceremony.record, name="study_record"),
    path("studies/<slug:slug>/releases/", releases.releases, name="releases"),
    path("studies/<slug:slug>/releases/prepare/", releases.prepare, name="prepare_release"),
    path("releases/<int:pk>/", releases.release, name="release"),
    path("releases/<int:pk>/publish/", releases.publish, name="publish_release"),
    path("releases/<int:pk>/archive.zip", releases.archive, name="release_archive"),
]
