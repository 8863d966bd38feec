"""Files of ratings that are analysed without a study."""

from django.urls import path

from analysis.rating_files import views

urlpatterns = [
    path("analyses/", views.rating_files, name="rating_files"),
    path("analyses/<int:pk>/", views.rating_file, name="rating_file"),
    path("analyses/<int:pk>/remove/", views.remove_rating_file, name="rating_file_remove"),
    path("analyses/<int:pk>/files/<path:name>", views.rating_file_result, name="rating_file_result"),
    path("analyses/<int:pk>/all.zip", views.rating_file_archive, name="rating_file_archive"),
]
