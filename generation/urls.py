from django.urls import path

from generation.answers import views as texts
from generation.calls.views import calls, models, runs
from generation.catalogue import views as templates
from generation.prompts.views import candidates, diversity, pool, prompt_map, quality, samples
from generation.sources.views import adding_sources, concepts, sources

urlpatterns = [
    path("studies/<slug:slug>/models/", models.study_models, name="study_models"),
    path("studies/<slug:slug>/models/add/", models.target_add, name="target_add"),
    path("studies/<slug:slug>/models/<int:pk>/", models.target_change, name="target_change"),
    path("studies/<slug:slug>/models/<int:pk>/retire/", models.target_retire, name="target_retire"),
    path("studies/<slug:slug>/templates/", templates.study_templates, name="study_templates"),
    path("studies/<slug:slug>/templates/<str:name>/", templates.template_edit, name="template_edit"),
    path("studies/<slug:slug>/templates/<str:name>/restore/", templates.template_restore, name="template_restore"),
    path("studies/<slug:slug>/runs/", runs.study_runs, name="study_runs"),
    path("studies/<slug:slug>/runs/plan/", runs.plan_run, name="plan_run"),
    path("runs/<int:pk>/", runs.run, name="run"),
    path("runs/<int:pk>/start/", runs.start_run, name="start_run"),
    path("runs/<int:pk>/stop/", runs.stop_run, name="stop_run"),
    path("runs/<int:pk>/retry/", runs.retry_run, name="retry_run"),
    path("runs/<int:pk>/withdraw/", runs.withdraw_run, name="withdraw_run"),
    path("runs/<int:pk>/calls/", calls.run_calls, name="run_calls"),
    path("calls/<int:pk>/", calls.call, name="call"),
    path("texts/<uuid:response>/regenerate/", texts.regenerate_text, name="regenerate_text"),
    path("studies/<slug:slug>/pool/", pool.pool, name="pool"),
    path("studies/<slug:slug>/pool/sources/", sources.sources, name="pool_sources"),
    path("studies/<slug:slug>/pool/add-source/", adding_sources.source_add, name="source_add"),
    path("studies/<slug:slug>/pool/use-source/", sources.source_use, name="source_use"),
    path("studies/<slug:slug>/pool/sources/<slug:source>/", sources.source, name="source"),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/removed/<int:step>/", sources.removed, name="source_removed"
    ),
    path("studies/<slug:slug>/pool/sources/<slug:source>/drop/", sources.source_drop, name="source_drop"),
    path("studies/<slug:slug>/pool/sources/<slug:source>/documents/", concepts.documents, name="concept_documents"),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/documents/<int:pk>/remove/",
        concepts.document_remove,
        name="document_remove",
    ),
    path("studies/<slug:slug>/pool/sources/<slug:source>/concepts/add/", concepts.concept_add, name="concept_add"),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/concepts/<int:pk>/",
        concepts.concept_change,
        name="concept_change",
    ),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/concepts/<int:pk>/remove/",
        concepts.concept_remove,
        name="concept_remove",
    ),
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
