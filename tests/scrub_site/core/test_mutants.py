"""The faults by which it is tried whether tests can fail."""

import ast

import pytest

from scripts.mutants.drawing import Mutant, draw
from scripts.mutants.faults import (
    SCRIPT_FAULTS,
    STYLE_FAULTS,
    TEMPLATE_FAULTS,
    constraint_faults,
    python_faults,
    text_faults,
)


def mutated(source: str) -> set[str]:
    found = set()
    for start, old, new in python_faults(source):
        mutant = Mutant("core", "file.py", start, old, new)
        changed = mutant.applied(source.encode()).decode()
        ast.parse(changed)
        found.add(changed.strip())
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b", {"x = (a <= b)"}),
        ("x = a and not b", {"x = (a or not b)", "x = a and (b)"}),
        ("x = a + 1", {"x = (a - 1)", "x = a + (2)"}),
        ("x: int = True", {"x: int = (False)"}),
        ("f(é, 'é')", {"None"}),
        ("if a:\n    b()", {"if (not (a)):\n    b()", "if a:\n    None"}),
        ("if a == b:\n    pass", {"if (a != b):\n    pass"}),
        ('"""Words."""', set()),
        ('x = f"{a + 1}"', set()),
        ("match a:\n    case 1:\n        pass", set()),
    ],
)
def test_a_fault_is_one_place_turned_round_or_left_out(source: str, expected: set[str]) -> None:
    assert mutated(source) == expected


def test_a_returned_value_is_given_back_as_nothing_at_all() -> None:
    assert mutated("def f(a, b):\n    return a, b") == {"def f(a, b):\n    return None"}


def test_constraints_of_a_migration_are_left_out() -> None:
    source = "x = [UniqueConstraint(fields=['a']), migrations.AddConstraint(c)]"
    assert [new for _, _, new in constraint_faults(source)] == ["*[]", 'migrations.RunSQL("SELECT 1")']


@pytest.mark.parametrize(
    ("patterns", "source", "expected"),
    [
        (TEMPLATE_FAULTS, "<p>{{ name }}</p>", "<p></p>"),
        (TEMPLATE_FAULTS, "{% if a.b %}", "{% if not a.b %}"),
        (TEMPLATE_FAULTS, "<input disabled>", "<input >"),
        (SCRIPT_FAULTS, "if (a === b) {", "if (a !== b) {"),
        (SCRIPT_FAULTS, "  open(door);", "  ;"),
        (STYLE_FAULTS, "p {\n  color: red;\n}", "p {\n  \n}"),
    ],
)
def test_a_fault_of_a_text_changes_nothing_around_it(
    patterns: tuple[tuple[str, str], ...], source: str, expected: str
) -> None:
    start, old, new = next(iter(text_faults(patterns)(source)))
    assert Mutant("pages", "file", start, old, new).applied(source.encode()).decode() == expected


def test_a_fault_is_found_again_where_the_code_before_it_has_grown() -> None:
    mutant = Mutant("core", "file.py", 4, "a < b", "(a <= b)")
    assert mutant.applied(b"# Above.\nx = a < b\n") == b"# Above.\nx = (a <= b)\n"
    with pytest.raises(ValueError, match="any more"):
        mutant.applied(b"x = c")


def test_the_same_seed_draws_the_same_faults_of_every_group() -> None:
    drawn = draw(17)
    assert drawn == draw(17)
    assert len(set(drawn)) == len(drawn) == 60
    assert {mutant.group for mutant in drawn} == {"core", "rules", "pages", "static"}
