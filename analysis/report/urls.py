"""Results, runs and their files."""

from django.urls import path

from analysis.report.views import run_files, runs, sizing

urlpatterns = [
    path("studies/<slug:slug>/results/", runs.results, name="results"),
    path("studies/<slug:slug>/trials/sizing/", sizing.trial_sizing, name="trial_sizing"),
    path("studies/<slug:slug>/results/compute/", runs.compute_results, name="compute_results"),
    path("studies/<slug:slug>/results/runs/", runs.run_list, name="run_list"),
    path("studies/<slug:slug>/results/comparison/", runs.compare_runs, name="compare_runs"),
    path("studies/<slug:slug>/results/comparison/differences.csv", runs.comparison_csv, name="comparison_csv"),
    path("studies/<slug:slug>/results/<int:number>/again/", runs.run_again, name="run_again"),
    path("studies/<slug:slug>/results/<int:number>/files/<path:name>", run_files.run_file, name="run_file"),
    path("studies/<slug:slug>/results/<int:number>/all.zip", run_files.run_archive, name="run_archive"),
]
