"""Small pieces several models share."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal, overload

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.expressions import Combinable

from annotation.platform.core.lifecycle import Lifecycle


def state_field(lifecycle: Lifecycle) -> "models.CharField[str | Combinable, str]":
    """A state of `lifecycle`, starting at its first one."""
    return models.CharField(max_length=12, choices=lifecycle.choices, default=lifecycle.initial)


def state_constraint(lifecycle: Lifecycle, *, name: str) -> models.CheckConstraint:
    return models.CheckConstraint(name=name, condition=Q(state__in=lifecycle.states))


def topics(help_text: str) -> "ArrayField[Sequence[str] | Combinable, list[str]]":
    """Short names of prompts' codes, domains or disciplines."""
    return ArrayField(models.CharField(max_length=80), default=list, blank=True, help_text=help_text)


@overload
def dollars(
    *, null: Literal[False] = False, **options: Any
) -> "models.DecimalField[str | float | Decimal | Combinable, Decimal]": ...
@overload
def dollars(
    *, null: Literal[True], **options: Any
) -> "models.DecimalField[str | float | Decimal | Combinable | None, Decimal | None]": ...
def dollars(**options: Any) -> "models.DecimalField[Any, Any]":
    """US dollars, to the millionth."""
    return models.DecimalField(max_digits=14, decimal_places=6, **options)


def together(*fields: str, name: str) -> models.CheckConstraint:
    """The constraint that either every one of `fields` is set or none is."""
    none = Q(**{f"{field}__isnull": True for field in fields})
    every = Q(**{f"{field}__isnull": False for field in fields})
    return models.CheckConstraint(name=name, condition=none | every)


def one_of(field: str, values: Sequence[str], *, name: str) -> models.CheckConstraint:
    return models.CheckConstraint(name=name, condition=Q(**{f"{field}__in": list(values)}))
