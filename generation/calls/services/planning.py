"""Planning runs: what will be asked of which model, and what that may cost. Nothing is sent."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

from django.db import connection, transaction
from django.db.models import Max, Sum

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.calls.core.estimates import Estimate, Expected, estimator
from generation.calls.core.lifecycles import CALL, RUN
from generation.calls.core.work_kinds import PLAN_RUN
from generation.calls.models import GenerationRun, RunShare
from generation.calls.selectors.batch_eligibility import batched_targets
from generation.calls.services.empty_plans import why_empty
from generation.calls.services.expectations import expected_replies
from generation.calls.services.purposes import purpose_of
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services.targets import check_prices, check_request, effort_sent, price_of, request_to
from generation.providers.catalogue import catalogue
from generation.providers.core.prices import price_from, price_row

AT_A_TIME = 10_000  # in memory

# The columns of what is wanted, with their types: those of calls, and what each call will take.
_OF_CALLS = {
    "key": "text",
    "target_id": "bigint",
    "prompt_version_id": "bigint",
    "response_id": "uuid",
    "item_id": "bigint",
    "given_id": "bigint",
    "scenario_id": "bigint",
    "candidate_id": "bigint",
    "beside_id": "bigint",
    "subject_id": "bigint",
    "arm": "text",
    "perspective": "text",
    "dimension": "text",
    "replicate": "smallint",
}
_OF_ESTIMATES = {"input_tokens": "bigint", "output_tokens": "bigint", "cost": "numeric", "worst_cost": "numeric"}
_COLUMNS = _OF_CALLS | {"after_key": "text"} | _OF_ESTIMATES
_MAKE = f"CREATE TEMPORARY TABLE wanted ({', '.join(map(' '.join, _COLUMNS.items()))})"
_COPY = f"COPY wanted ({', '.join(_COLUMNS)}) FROM STDIN"
# Of neither table the database knows yet how large it is, and might look through the one for each row of the other:
# that took minutes for 34,450 calls.
_FIND_CHAINED = "CREATE INDEX ON wanted (key) WHERE after_key <> ''"
# The database leaves out what was called for before, and counts both by target. In the order of their keys: plans
# made side by side then never wait for each other in a circle, and the order of ids tells nothing of the prompts.
_LIST = f"""
WITH listed AS (
    INSERT INTO generation_call (run_id, state, {", ".join(_OF_CALLS)})
    SELECT %(run)s, %(state)s, {", ".join(_OF_CALLS)} FROM wanted ORDER BY key
    ON CONFLICT (key) DO NOTHING RETURNING key
), counted AS (
    SELECT
        target_id, count(listed.key) AS planned, count(*) - count(listed.key) AS known,
        coalesce(sum(input_tokens) FILTER (WHERE listed.key IS NOT NULL), 0) AS input_tokens,
        coalesce(sum(output_tokens) FILTER (WHERE listed.key IS NOT NULL), 0) AS output_tokens,
        coalesce(sum(cost) FILTER (WHERE listed.key IS NOT NULL), 0) AS cost,
        coalesce(sum(worst_cost) FILTER (WHERE listed.key IS NOT NULL), 0) AS worst_cost,
        coalesce(max(worst_cost) FILTER (WHERE listed.key IS NOT NULL), 0) AS worst_call
    FROM wanted LEFT JOIN listed USING (key) GROUP BY target_id
)
UPDATE generation_runshare AS share SET
    planned = counted.planned, known = counted.known, input_tokens = counted.input_tokens,
    output_tokens = counted.output_tokens, cost = counted.cost, worst_cost = counted.worst_cost,
    worst_call = counted.worst_call
FROM counted WHERE share.run_id = %(run)s AND share.target_id = counted.target_id
"""  # noqa: S608 - of constants

# Calls that go on a conversation, each with the one before it, which is looked up by its key: in a join with it a
# database that takes the calls for few may try each with each.
_EARLIER = "(SELECT earlier.id FROM generation_call AS earlier WHERE earlier.key = wanted.after_key)"
_CHAIN = f"""
UPDATE generation_call AS call SET state = %(state)s, after_id = {_EARLIER}
FROM wanted
WHERE wanted.after_key <> '' AND call.run_id = %(run)s AND call.key = wanted.key
"""  # noqa: S608 - of constants
_UNCHAINED = f"SELECT count(*) FROM wanted WHERE after_key <> '' AND {_EARLIER} IS NULL"  # noqa: S608 - of constants


@transaction.atomic
def plan_run(
    *,
    study: Study | None,
    by: User | None,
    purpose: str,
    track: str = "",
    mode: str = "",
    presentation: str = "",
    uses_batches: bool = False,
    targets: Sequence[Target] | None = None,
    only: Mapping[str, Any] | None = None,
) -> GenerationRun:
    """Fix what a run asks by, and have its calls listed in the background by `fill_plan`.

    `targets` are the models to ask, all of the study's in this role if not given; `only` narrows the run down to
    what its purpose understands. Without a study: calls about texts of a file, by nobody. Raises `Refused` where
    nothing of the kind can be planned now, or where the price of a model is not known.
    """
    if study and by:
        check_coordinator(by, study)
        studies.lock_for_update(study)
    run = GenerationRun(
        study=study,
        number=_next_number(study) if study else None,
        planned_by=by,
        purpose=purpose,
        track=track,
        mode=mode,
        presentation=presentation,
        uses_batches=uses_batches,
    )
    kind = purpose_of(run)
    if why := kind.closed(run):
        raise Refused(why)
    asked = list(targets) if targets is not None else _targets_of(run)
    if not asked:
        raise Refused("No model is configured for this.")
    run.materials = {"only": dict(only)} if only else {}
    run.materials |= {**kind.materials(run, asked), "prices": _prices(asked)}
    run.materials["sent"] = _efforts_sent(run, asked)
    run.materials["replies"] = expected_replies(run, asked)
    run.template_version = ", ".join([_versions(run.materials["templates"]), *run.materials.get("unusual", ())])
    run.price_version = catalogue().version
    run.save()
    RunShare.objects.bulk_create(RunShare(run=run, target=target, cost=0, worst_cost=0) for target in asked)
    work.ask(kind=PLAN_RUN, subject=run.pk)
    audit.record(
        verb=AuditVerb.RUN_PLANNED, by=by, study=study, subject=run.pk, purpose=purpose, track=track, mode=mode
    )
    return run


def _next_number(study: Study) -> int:
    newest = GenerationRun.objects.filter(study=study).aggregate(newest=Max("number"))["newest"]
    return (newest or 0) + 1


def _targets_of(run: GenerationRun) -> list[Target]:
    targets = Target.objects.filter(study=run.study, role=purpose_of(run).role, retired_at__isnull=True)
    return list(targets.select_related("study"))


def _efforts_sent(run: GenerationRun, targets: Sequence[Target]) -> dict[str, str]:
    """How each model's effort is requested, by its id: a part of a request as JSON, "" where nothing tells it.

    Raises `Refused` where a model is known to refuse what it would be asked with.
    """
    said, sent = run.materials, {}
    for target in targets:
        request = request_to(
            target,
            effort=said["efforts"][str(target.pk)],
            max_output_tokens=said["output_tokens"]["most"],
            temperature=said.get("temperatures", {}).get(str(target.pk)),
        )
        check_request(target, request)
        sent[str(target.pk)] = effort_sent(target, request)
    return sent


def _prices(targets: Sequence[Target]) -> dict[str, Any]:
    prices = {target: price_of(target) for target in targets}
    check_prices(prices.items())
    return {str(target.pk): price_row(price) for target, price in prices.items() if price}


def _versions(templates: Mapping[str, str]) -> str:
    return ", ".join(PromptTemplate(name, text).version for name, text in templates.items())


def fill_plan(run_id: int) -> None:
    """List every call of a run that is being planned, and estimate it; those planned before are only counted.

    Where nothing is left to ask, the plan is withdrawn and says so. All of it or, where it fails, nothing.
    """
    with transaction.atomic():
        runs = GenerationRun.objects.select_for_update(of=("self",), skip_locked=True)
        run = runs.select_related("study").filter(pk=run_id, state="planning").first()
        if run is None:  # done, withdrawn, or being done
            return
        _list_calls(run)
        if run.shares.filter(planned__gt=0).exists():
            run.state = RUN.after("plan", run.state)
        else:
            run.state = RUN.after("withdraw", run.state)
            run.stopped_because = why_empty(run)
        run.save(update_fields=["state", "stopped_because"])


def _list_calls(run: GenerationRun) -> None:
    """The wanted calls pass through a part at a time, however many they are, and are listed together."""
    rows = _rows(run)
    with connection.cursor() as cursor:
        cursor.execute(_MAKE)
        while part := list(islice(rows, AT_A_TIME)):  # first read, then copied: a connection does one at a time
            with cursor.copy(_COPY) as copy:
                for row in part:
                    copy.write_row(row)
        cursor.execute(_FIND_CHAINED)
        cursor.execute(_LIST, {"run": run.pk, "state": CALL.initial})
        cursor.execute(_UNCHAINED)
        if unchained := cursor.fetchone()[0]:
            raise ValueError(f"{unchained} calls of the plan go on from calls that nobody planned")
        cursor.execute(_CHAIN, {"run": run.pk, "state": CALL.after("hold", CALL.initial)})
        cursor.execute("DROP TABLE wanted")
    if run.calls.count() != run.shares.aggregate(planned=Sum("planned"))["planned"]:
        raise ValueError("two calls of the plan have one key, and would be asked as one")


def _rows(run: GenerationRun) -> Iterator[tuple[Any, ...]]:
    """The calls and what each will take, as `_COPY` reads them."""
    estimates = _estimators(run)
    of_call, of_estimate = attrgetter(*_OF_CALLS, "after_key"), attrgetter(*_OF_ESTIMATES)
    for wanted in purpose_of(run).wanted(run):
        estimate = estimates[wanted.target_id](wanted.characters, wanted.replies)
        yield of_call(wanted) + of_estimate(estimate)


def _estimators(run: GenerationRun) -> dict[int, Callable[[int, int], Estimate]]:
    prices, tokens, replies = (run.materials[name] for name in ("prices", "output_tokens", "replies"))
    batched = {target.pk for target in batched_targets(run)}
    return {
        int(target): estimator(
            price_from(row),
            Expected(**replies[target]),
            most=tokens["most"],
            in_batch=int(target) in batched,
        )
        for target, row in prices.items()
    }
