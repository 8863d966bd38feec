"""What chance would show, and what may be said of a model: what is planted is found, and nothing else."""

import numpy as np
import pytest

from analysis.data.core.results import FloatArray
from analysis.framing.core.chance import flips, marks_by_chance
from analysis.framing.core.contrasts import contrasts
from analysis.framing.core.deltas import Deltas
from analysis.framing.core.roles import Roles

CONDITIONS = ("empirical_i", "empirical_friend", "emotion_agree", "emotion_disagree")
DIMENSIONS = ("clarity", "grounding", "relevance", "pluralism", "soundness")
SEEDS = 100


def a_model(
    name: str, seed: int, planted: FloatArray | float = 0.0, *, prompts: int = 30, noise: float = 0.6
) -> Deltas:
    """Δ of `planted` (conditions × dimensions), with noise of a prompt and of each of its cells."""
    drawn = np.random.default_rng((seed, sum(name.encode())))
    values = planted + drawn.normal(0, noise, (prompts, 4, 5)) + drawn.normal(0, noise / 2, (prompts, 1, 1))
    return Deltas(name, tuple(f"p{number}" for number in range(prompts)), CONDITIONS, DIMENSIONS, values)


def said(found: list[Deltas], *, seed: int = 1) -> dict[str, dict[str, int]]:
    """The directions of what may be said, by model."""
    of_models = contrasts(found, roles=Roles(), seed=seed, draws=400)
    return {
        name: {each.key: each.direction for each in of_model if each.direction}
        for name, of_model in of_models.items()
    }


def by_condition(*lost: float) -> FloatArray:
    return np.repeat(np.array(lost)[:, None], 5, axis=1)


def test_planted_contrasts_are_found_and_a_model_without_any_is_passed_over_in_at_least_95_of_100_seeds() -> None:
    silent = found = 0
    for seed in range(SEEDS):
        own = a_model("own", seed, by_condition(1.0, 0.2, 0.6, 0.6))
        agree = a_model("agree", seed, by_condition(0.0, 0.0, 1.0, 0.2))
        of_models = said([own, agree, a_model("none", seed)], seed=seed)
        silent += not of_models["none"]
        found += (
            of_models["own"].get("own_friend") == 1
            and of_models["own"].get("level") == 1
            and of_models["agree"].get("agree_disagree") == 1
            and of_models["agree"].get("emotion_empirical") == 1
        )
    assert silent >= 95
    assert found >= 95


def test_a_dimension_that_suffers_most_is_told_from_the_others() -> None:
    planted = np.zeros((4, 5))
    planted[:, 0] = 0.8
    assert said([a_model("clear", 1, planted)])["clear"]["dimension:clarity"] == 1


def test_nothing_is_said_where_prompts_are_too_few_or_alike() -> None:
    assert said([a_model("few", 1, 2.0, prompts=5)]) == {"few": {}}
    assert said([a_model("enough", 1, 2.0, prompts=6)])["enough"]["level"] == 1
    (alike,) = contrasts([a_model("alike", 1, 2.0, noise=0.0)], roles=Roles(), seed=1)["alike"][:1]
    assert alike.estimate.interval
    assert alike.estimate.interval.reason == "all prompts are alike"
    (one,) = contrasts([a_model("one", 1, prompts=1)], roles=Roles(), seed=1)["one"][:1]
    assert one.estimate.interval
    assert one.estimate.interval.reason == "needs at least 2 prompts, has 1"


def test_conditions_of_another_file_leave_out_what_they_do_not_have() -> None:
    found = a_model("other", 1)
    other = Deltas("other", found.prompts, ("mild", "harsh"), DIMENSIONS, found.values[:, :2])
    keys = [each.key for each in contrasts([other], roles=Roles(), seed=1)["other"]]
    assert keys == ["level", *(f"dimension:{dimension}" for dimension in DIMENSIONS)]


def test_few_prompts_are_flipped_in_every_way() -> None:
    assert flips(3, seed=1).shape == (8, 3)
    assert len({tuple(row) for row in flips(3, seed=1)}) == 8
    assert flips(30, seed=1).tolist() == flips(30, seed=1).tolist()
    assert (flips(30, seed=1)[0] == 1).all()


def test_marks_by_chance_are_those_of_flipped_prompts() -> None:
    # Of two prompts with Δ 2 and 1 the mean is ±1.5 in two of four flips, ±0.5 in the others.
    values = np.array([2.0, 1.0]).reshape(2, 1, 1)
    of_model, of_all = marks_by_chance([Deltas("a", ("p1", "p2"), ("agree",), ("clarity",), values)], seed=1)
    assert (of_model.found, of_model.expected, of_model.most) == (1, 0.5, 1)
    assert (of_all.respondent, of_all.found, of_all.expected) == ("", 1, 0.5)


def test_what_has_no_delta_is_marked_by_nothing() -> None:
    values = np.array([[2.0, np.nan], [1.0, np.nan]]).reshape(2, 1, 2)
    of_model, _ = marks_by_chance([Deltas("a", ("p1", "p2"), ("agree",), ("x", "y"), values)], seed=1)
    assert of_model.expected == pytest.approx(0.5)
