"""Every section of a report: a line for each module that registers some, and nothing else to do."""

import analysis.agreement.sections
import analysis.benchmarks.sections
import analysis.blinding.sections
import analysis.framing.sections
import analysis.outcomes.sections
import analysis.panel.sections
import analysis.pool.sections
import analysis.trials.sections
from analysis.sections.core.section import registered as registered
