"""Sources, and the concepts and documents of one."""

from django.urls import path

from generation.sources.views import adding_sources, concepts, proposals, sources

urlpatterns = [
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
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/proposals/", proposals.proposals, name="concept_proposals"
    ),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/proposals/<int:pk>/",
        proposals.proposal,
        name="concept_proposal",
    ),
    path(
        "studies/<slug:slug>/pool/sources/<slug:source>/proposals/<int:pk>/decline/",
        proposals.proposal_decline,
        name="concept_proposal_decline",
    ),
]
