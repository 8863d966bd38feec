"""What people type and what models mark up can hardly be told apart once it is normalised."""

from benchmarks.normalisation import areas, pairs

PASSAGES = 60
SAME = 0.75  # of the passages come out letter for letter the same; the benchmark measures the others
LARGEST_AREA = 0.58  # with so few passages; with all of them the benchmark holds an interval below 0.55


def test_the_same_passage_typed_and_marked_up_looks_the_same_to_judges() -> None:
    found = pairs(PASSAGES, seed=41)
    assert sum(pair.of_person == pair.of_model for pair in found) >= SAME * PASSAGES
    assert max(area.value for area in areas(found, quick=True)) <= LARGEST_AREA
