"""Prompts that are to be: found, judged, compared, drawn on a map, sampled."""

from django.urls import path

from generation.prompts.views import candidates, diversity, pool, prompt_map, quality, samples

urlpatterns = [
    path("studies/<slug:slug>/pool/", pool.pool, name="pool"),
    path("studies/<slug:slug>/pool/candidates/", candidates.candidates, name="candidates"),
    path("studies/<slug:slug>/pool/candidates/<int:pk>/", candidates.candidate, name="candidate"),
    path("studies/<slug:slug>/pool/candidates/<int:pk>/review/", candidates.review, name="review_candidate"),
    path("studies/<slug:slug>/pool/quality/", quality.quality, name="pool_quality"),
    path("studies/<slug:slug>/pool/diversity/", diversity.diversity, name="pool_diversity"),
    path("studies/<slug:slug>/pool/diversity/compare/", diversity.compare, name="compare_pairs"),
    path("studies/<slug:slug>/pool/map/", prompt_map.prompt_map, name="prompt_map"),
    path("studies/<slug:slug>/pool/map/draw/", prompt_map.draw, name="draw_map"),
    path("studies/<slug:slug>/pool/map/<int:pk>/points.json", prompt_map.points, name="map_points"),
    path("studies/<slug:slug>/pool/map/<int:pk>/map.svg", prompt_map.picture_file, name="map_svg"),
    path(
        "studies/<slug:slug>/pool/map/<int:pk>/scenarios/<int:scenario>.json",
        prompt_map.scenario_texts,
        name="map_scenario",
    ),
    path("studies/<slug:slug>/pool/samples/", samples.samples, name="pool_samples"),
    path("studies/<slug:slug>/pool/samples/<int:pk>/", samples.sample, name="pool_sample"),
    path("studies/<slug:slug>/pool/samples/<int:pk>/take/", samples.take, name="take_sample"),
    path("studies/<slug:slug>/pool/samples/<int:pk>/discard/", samples.discard, name="discard_sample"),
    path(
        "studies/<slug:slug>/pool/samples/<int:pk>/study_prompts.csv",
        samples.study_prompts,
        name="study_prompts_csv",
    ),
    path(
        "studies/<slug:slug>/pool/evaluation_dataset.csv", samples.evaluation_dataset, name="evaluation_dataset_csv"
    ),
]
