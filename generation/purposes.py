"""What models are asked for: each purpose, with the form by which a run for it is planned.

In the order in which coordinators find the forms.
"""

from generation.answers.forms import AnswersForm
from generation.answers.services.answers import ANSWERS
from generation.benchmarks.services.model_marks import MODEL_MARKS
from generation.benchmarks.services.predictions import PREDICTIONS
from generation.benchmarks.services.rephrasings import REPHRASINGS_PURPOSE
from generation.calls.forms import add_plan_form
from generation.calls.models import GenerationRun
from generation.calls.services.purposes import add_purpose
from generation.framing.services.answers import FRAMED_ANSWERS
from generation.framing.services.runs import FRAMING_CHECKS, FRAMINGS
from generation.framing.services.scores import FRAMED_SCORES
from generation.panel.forms import PanelForm
from generation.panel.services.panel import PANEL
from generation.prompts.forms.runs import PairsForm, PromptsForm, QualityForm
from generation.prompts.services.finished_prompts import FINISHED_PROMPTS
from generation.prompts.services.pair_votes import PAIRS
from generation.prompts.services.prompt_writing import PROMPTS
from generation.prompts.services.quality_votes import QUALITY
from generation.readings.forms import ReadingForm
from generation.readings.services.readings import READINGS
from generation.sources.core.shapes import FINISHED
from generation.sources.forms.runs import ConceptsForm
from generation.sources.services.proposing import CONCEPTS
from generation.sources.services.sources import add_taking
from generation.trials.services.answers import TRIAL_ANSWERS
from generation.trials.services.model_coding import TRIAL_CODES
from generation.trials.services.scores import TRIAL_SCORES

for purpose, form in (
    (CONCEPTS, ConceptsForm),
    (PROMPTS, PromptsForm),
    (QUALITY, QualityForm),
    (PAIRS, PairsForm),
    (ANSWERS, AnswersForm),
    (READINGS, ReadingForm),
    (PANEL, PanelForm),
):
    add_purpose(form.purpose, purpose)
    add_plan_form(form)

# Planned from the page of their set.
add_purpose(GenerationRun.Purpose.FRAMING, FRAMINGS)
add_purpose(GenerationRun.Purpose.FRAMING_CHECK, FRAMING_CHECKS)
add_purpose(GenerationRun.Purpose.FRAMED_ANSWER, FRAMED_ANSWERS)
add_purpose(GenerationRun.Purpose.FRAMED_SCORE, FRAMED_SCORES)

# Planned from the pages of trials.
add_purpose(GenerationRun.Purpose.TRIAL_ANSWER, TRIAL_ANSWERS)
add_purpose(GenerationRun.Purpose.TRIAL_SCORE, TRIAL_SCORES)
add_purpose(GenerationRun.Purpose.TRIAL_CODE, TRIAL_CODES)

# Planned from the page of a benchmark.
add_purpose(GenerationRun.Purpose.PREDICTION, PREDICTIONS)
add_purpose(GenerationRun.Purpose.REPHRASING, REPHRASINGS_PURPOSE)
add_purpose(GenerationRun.Purpose.ANSWER_MARK, MODEL_MARKS)

# Asked of nobody: prompts that are there when a study draws on their source.
add_taking(FINISHED, FINISHED_PROMPTS)
