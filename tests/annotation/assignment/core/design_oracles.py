"""What the best design is, from solvers that know nothing of reassignments: SciPy's maximum flow, and HiGHS."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import maximum_flow

from annotation.assignment.core.feasibility import Person


def room(person: Person, prompts: Sequence[str]) -> int:
    return len(prompts) if person.capacity is None else person.capacity


def most_places(people: Sequence[Person], prompts: Sequence[str], each: int) -> int:
    """How many of the `each` places of all prompts can be filled together: a maximum flow.

    From the source 0 through the prompts, 1 and on, and the people to the sink.
    """
    sink = 1 + len(prompts) + len(people)
    arcs = [(0, 1 + place, each) for place in range(len(prompts))]
    for number, person in enumerate(people, start=1 + len(prompts)):
        arcs.append((number, sink, room(person, prompts)))
        arcs += [(1 + place, number, 1) for place, code in enumerate(prompts) if code not in person.excluded]
    starts, ends, capacities = np.array(arcs).T
    network = csr_array((capacities, (starts, ends)), shape=(sink + 1, sink + 1), dtype=np.int32)
    return int(maximum_flow(network, 0, sink).flow_value)


def best(people: Sequence[Person], prompts: Sequence[str], each: int) -> tuple[int, int]:
    """The smallest sum of squared loads of a feasible design, and the fewest pairs against a preference with it.

    A whole-number programme with one variable for each pair that may be, and one for each prompt that somebody
    may take as their first, second and so on: the k-th adds k² − (k − 1)² = 2k − 1 to the squares.
    """
    heavy = each * len(prompts) + 1  # a design has fewer pairs against a preference
    costs, cells = [], []  # a column for each variable: (row, coefficient)
    for number, person in enumerate(people):
        load = len(prompts) + number
        for place, code in enumerate(prompts):
            if code not in person.excluded:
                cells.append([(place, 1), (load, 1)])
                costs.append(int(code in person.unwished))
        for turn in range(1, min(room(person, prompts), len(prompts)) + 1):
            cells.append([(load, -1)])
            costs.append(heavy * (2 * turn - 1))
    entries = [(row, column, value) for column, own in enumerate(cells) for row, value in own]
    rows, columns, values = np.array(entries).T
    matrix = coo_array((values, (rows, columns)), shape=(len(prompts) + len(people), len(cells)))
    wanted = np.array([each] * len(prompts) + [0] * len(people))
    solved = milp(
        costs,
        constraints=LinearConstraint(matrix.tocsr(), wanted, wanted),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(cells)),
    )
    return divmod(round(float(solved.fun)), heavy)
