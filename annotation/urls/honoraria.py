"""What people have earned and what was paid."""

from django.urls import path

from annotation.views import honoraria as views

urlpatterns = [
    path("studies/<slug:slug>/honoraria/", views.ledger, name="honoraria"),
    path("studies/<slug:slug>/honoraria.csv", views.ledger_csv, name="honoraria_csv"),
    path("studies/<slug:slug>/honoraria/open/", views.pay_open, name="payments_add"),
    path("studies/<slug:slug>/honoraria/<slug:pseudonym>/", views.pay, name="payment_add"),
    path("payments/<int:pk>/reverse/", views.reverse, name="payment_reverse"),
]
