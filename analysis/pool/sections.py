"""Where prompts come from, as a section of a report."""

from typing import Final

from analysis.pool.core.pool_report import PoolReport, pool_report
from analysis.pool.exhibits import pool_exhibits
from analysis.pool.prose import METHODS, pool_passages
from analysis.sections.core.section import Order, Section, register

POOL: Final[Section[PoolReport]] = register(
    Section(
        name="pool",
        title="Where prompts come from",
        kind=PoolReport,
        from_unblinded=lambda unblinded: pool_report(unblinded.tables, level=unblinded.parameters.level),
        tables=("pool_funnel", "pool_diversity", "pool_map"),
        not_applicable=lambda inputs: "no sources of prompts are known" * inputs.tables.pool_funnel.empty,
        order=Order(file=95, page=95, text=5, differences=95),
        exhibits=lambda found, _report, _scope: pool_exhibits(found),
        passages=lambda found, _report: pool_passages(found),
        methods=METHODS,
    )
)
