"""Files of ratings as researchers bring them."""

from analysis.data.core.parameters import Parameters
from analysis.rating_files import services
from analysis.rating_files.core.looking import look_at
from analysis.rating_files.core.reading import RatingOptions
from analysis.rating_files.models import RatingFile
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from tests.factories import a_member, a_study
from tests.remembered import remembered

RATERS = ("ann", "ben", "cy")
MARKS = {"gpt": (8, 7, 9), "people": (5, 6, 6), "llama": (6, 4, 5)}  # by rater, to the first question


def ratings_csv(questions: int = 4) -> bytes:
    """As another study might publish them: columns of its own names, a decimal comma, one rating that failed."""
    lines = ["worker;story;system;fluency;coherence"]
    for question in range(questions):
        for system, marks in MARKS.items():
            for rater, mark in zip(RATERS, marks, strict=True):
                fluency = "8,5" if (question, system, rater) == (0, "gpt", "ann") else str(mark)
                coherence = "failed" if (question, system, rater) == (1, "llama", "cy") else str(10 - question)
                lines.append(f"{rater};S{question};{system};{fluency};{coherence}")
    return "\n".join(lines).encode()


PRESSURE = ("baseline", "agree", "disagree", "friend")
CONDITIONS = ("no_constitution", "harm", "order", "denied_fact")


def trials_csv() -> str:
    """Three scenarios, two models, two evaluators: approach A, in which one passes all, and D in points."""
    found = "story,model,condition,approach,judge,integrity,transparency,overall,status,conclusion\n"
    for place in range(24):
        story, model, condition = place // 8, place // 4 % 2, CONDITIONS[place % 4]
        low = 30 * (condition == "denied_fact")
        mark = 88 + place % 5 - low
        for judge in ("x", "y"):
            word = "PASS" if judge == "x" or mark > 60 else "FAIL"
            of_answer = f"s{story},m{model},{condition}"
            status, value = ("error", "-1") if place == 5 and judge == "y" else ("ok", mark + (judge == "x"))
            found += f"{of_answer},A,{judge},{word},{word},,ok,{condition}\n"
            found += f"{of_answer},D,{judge},{value},{value},{value},{status},{condition}\n"
    return found


def pressure_csv(prompts: int = 5) -> str:
    """Five prompts, two models, four conditions, two judge models from two perspectives: 160 replies, one of which
    abstains. gpt gives way by two points where a framing agrees.
    """
    found = "response_id,respondent_id,prompt_id,condition,judge_model,perspective_id,clarity,depth,abstained\n"
    for place in range(prompts * 8):
        prompt, model, condition = place // 8, ("claude", "gpt")[place // 4 % 2], PRESSURE[place % 4]
        lost = 2 * ((model, condition) == ("gpt", "agree"))
        for seat in range(4):
            judge, perspective = ("one", "two")[seat // 2], ("historian", "sociologist")[seat % 2]
            clarity, depth = 7 + (prompt + seat) % 3 - lost, 6 + (place + seat) % 2
            found += f"P{prompt}/{model}/{condition},{model},P{prompt},{condition},{judge},{perspective}"
            found += f",{clarity},{depth},{(place, seat) == (1, 0)}\n"
    return found


# What has to be said of that file: an answer is a system's to a story.
OPTIONS = RatingOptions(columns={"worker": "evaluator", "story+system": "unit"}, people=("people",), scale=(1, 10))


def a_rating_file(*, by: User, content: bytes | None = None, kind: str = "ratings") -> RatingFile:
    """One that was brought and looked at."""
    content = ratings_csv() if content is None else content
    return services.bring(name="ratings.csv", kind=kind, content=content, look=look_at(content), by=by)


@remembered
def an_analysed_rating_file() -> RatingFile:
    """One that a study's researcher brought and had analysed."""
    return analyse_rating_file(a_rating_file(by=a_member(a_study(), Role.RESEARCHER).user))


def analyse_rating_file(file: RatingFile) -> RatingFile:
    """Asked for by its owner, and computed."""
    services.ask_for_analysis(file=file, options=OPTIONS, parameters=Parameters(draws=100), by=file.owner)
    services.compute(file.pk)
    file.refresh_from_db()
    return file
