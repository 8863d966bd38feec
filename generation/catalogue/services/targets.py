"""Naming the models a study works with, and what they cost."""

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_today
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.catalogue.models import Target
from generation.providers import provider as provider_named
from generation.providers.base import Request
from generation.providers.catalogue import catalogue, endpoint, known_model
from generation.providers.core.prices import Price, price_at, price_from

CAP_OF_NO_MATTER = 16_000
FREE = Price(input=Decimal(0), output=Decimal(0))


@transaction.atomic
def add_target(
    *,
    study: Study | None,
    role: str,
    family: str,
    provider: str,
    model_id: str,
    by: User | None,
    effort: str = "",
    weak_temperature: float | None = None,
    options: Mapping[str, Any] | None = None,
    price: Mapping[str, Any] | None = None,
) -> Target:
    """Name a model that answers, or judges on the panel, in `study`; without one, for the scoring of files.

    Raises `Refused` for what no provider understands, for a family that the study has in this role, and where
    neither `price` nor the site's price table says what the model costs.
    """
    target = Target(study=study, role=role)
    lock_target(target, by)
    return configure(
        target,
        verb=AuditVerb.TARGET_ADDED,
        by=by,
        family=family,
        provider=provider,
        model_id=model_id,
        effort=effort,
        weak_temperature=weak_temperature,
        options=options or {},
        price=price,
    )


def lock_target(target: Target, by: User | None) -> None:
    """The right to configure the study's models, and nobody else planning with them meanwhile."""
    if target.study and by:
        check_coordinator(by, target.study)
        studies.lock_for_update(target.study)


def configure(target: Target, *, verb: AuditVerb, by: User | None, **fields: Any) -> Target:
    """Save the target with these fields, and `verb` for the record. Whoever calls this has locked the target.

    Raises `Refused` as `add_target` does.
    """
    for name, value in fields.items():
        setattr(target, name, value)
    _check(target)
    try:
        with transaction.atomic():
            target.save()
    except IntegrityError as error:
        already = f"A model of this study is called “{target.family}” already."
        raise Refused(already, field="family") from error
    audit.record(
        verb=verb,
        by=by,
        study=target.study,
        subject=target.family,
        role=target.role,
        provider=target.provider,
        model=target.model_id,
    )
    return target


def _check(target: Target) -> None:
    if target.provider not in catalogue().endpoints:
        raise Refused(f"No provider is called “{target.provider}”.", field="provider")
    try:
        target.full_clean(exclude=["study"], validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise Refused(" ".join(messages), field=field) from error
    try:
        provider_named(target.provider).check(target.options)
    except ValueError as error:
        raise Refused(str(error), field="options") from error
    _check_effort(target)
    try:
        if target.price is not None:
            price_from(target.price)
    except ValueError as error:
        raise Refused(str(error), field="price") from error
    check_prices([(target, price_of(target))])


def check_prices(prices: Iterable[tuple[Target, Price | None]]) -> None:
    """Raise `Refused` where one is not known: it would count as nothing, and no limit would hold."""
    if unknown := ", ".join(f"“{target.family}”" for target, price in prices if price is None):
        raise Refused(
            f"What {unknown} costs is not known. Give it a price, 0 where it costs nothing: the limit on spending "
            "is kept by it.",
            field="price",
        )


def _check_effort(target: Target) -> None:
    """One that a model has instead of the study's has to be one that it takes, and that is sent."""
    if not target.effort:
        return
    request = request_to(target, effort=target.effort, max_output_tokens=CAP_OF_NO_MATTER)
    try:
        check_request(target, request)
    except Refused as refusal:
        raise Refused(str(refusal), field="effort") from refusal
    if not effort_sent(target, request):
        raise Refused(
            "This model is told no effort: leave it empty, or say in its options where it goes.", field="effort"
        )


def request_to(
    target: Target, *, effort: str, max_output_tokens: int, temperature: float | None = None, prompt: str = ""
) -> Request:
    """A request to the model, such as its provider checks it."""
    return Request(
        model=target.model_id,
        prompt=prompt,
        effort=effort,
        max_output_tokens=max_output_tokens,
        temperature=temperature,
        options=target.options,
    )


def check_request(target: Target, request: Request) -> None:
    """Raise `Refused` where the model, or its provider, is known to refuse what it would be asked with."""
    known = known_model(target.provider, target.model_id)
    try:
        provider_named(target.provider).check_request(request)
        if known:
            known.check(effort=request.effort, max_output_tokens=request.max_output_tokens)
    except ValueError as fault:
        raise Refused(f"“{target.family}” cannot be asked like this: {fault}.") from fault


def effort_sent(target: Target, request: Request) -> str:
    """The part of the request that says how much to think, as JSON; "" where nothing does."""
    sent = provider_named(target.provider).effort_sent(request)
    return json.dumps(sent) if sent else ""


def effort_of(target: Target, level: str) -> str:
    """What its provider calls the study's `level` of effort: low, medium or high."""
    known = known_model(target.provider, target.model_id)
    return known.effort(level) if known else level


def price_of(target: Target) -> Price | None:
    """What the model costs today; `None` where nobody said so.

    Raises `Refused` for a provider that the site knows no more.
    """
    return price_from(target.price) if target.price is not None else listed_price(target.provider, target.model_id)


def listed_price(provider: str, model_id: str) -> Price | None:
    """What the site's price table says today; `None` where nothing. A provider that needs no key costs nothing.

    Raises `Refused` for a provider that the site does not know.
    """
    known = known_model(provider, model_id)
    found = price_at(known.prices, database_today()) if known else None
    return found or (None if endpoint(provider).key_variable else FREE)


def identity(target: Target, **parameters: object) -> dict[str, object]:
    """The part of a call's key that says who is asked, and with which `parameters`."""
    return {
        "study": target.study.slug if target.study else None,
        "family": target.family,
        "provider": target.provider,
        "model": target.model_id,
        "options": target.options,
        **parameters,
    }
