"""How far each person is with each prompt, as a table."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.coordination.selectors.progress import Phase, Piece, Stage, Work


@dataclass(frozen=True)
class Row:
    """One person's pieces by prompt. They have submitted `done` of `total`: what was withdrawn counts no more."""

    pseudonym: str
    name: str
    is_lost: bool
    done: int
    total: int
    pieces: Mapping[str, Piece]


@dataclass(frozen=True)
class HeatMap:
    """`done` and `total` count by prompt: places filled, and places there are."""

    phase: Phase
    prompts: tuple[str, ...]
    rows: tuple[Row, ...]
    done: Mapping[str, int]
    total: Mapping[str, int]


def heat_map(work: Work) -> HeatMap:
    """Everybody who was given work, by pseudonym. What was withdrawn shows where nothing took its place."""
    pieces: dict[str, dict[str, Piece]] = {}
    for piece in work.pieces():
        own = pieces.setdefault(piece.person, {})
        if piece.prompt not in own or piece.state != "cancelled":
            own[piece.prompt] = piece
    done, total = Counter[str](), Counter[str]()
    for place in work.wanted:
        total[place[0].prompt] += 1
        done[place[0].prompt] += any(piece.done_at for piece in place)
    rows = tuple(_row(work, person, pieces[person]) for person in work.members if person in pieces)
    return HeatMap(work.phase, work.prompts, rows, done, total)


def _row(work: Work, person: str, pieces: Mapping[str, Piece]) -> Row:
    stages = Counter(piece.stage for piece in pieces.values())
    member = work.members[person]
    return Row(
        pseudonym=person,
        name=member.name,
        is_lost=member.is_lost,
        done=stages[Stage.SUBMITTED],
        total=sum(
            piece.stage != Stage.WITHDRAWN and (piece.stands or piece.id in work.vacant)
            for piece in pieces.values()
        ),
        pieces=pieces,
    )
