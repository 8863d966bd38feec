// Ranks from scores. The rules are those of annotation/core/ranking.py; tests/vectors/ranking.json binds both.

/** Positions of `scores` in groups of equal scores, best first; inside a group positions ascend. */
export function tieGroups(scores) {
  const groups = new Map();
  scores.forEach((score, position) => groups.set(score, [...(groups.get(score) ?? []), position]));
  return [...groups.entries()].sort(([a], [b]) => b - a).map(([, positions]) => positions);
}

/** Each score's rank: one more than the number of better scores (1, 2, 2, 4). */
export function competitionRanks(scores) {
  return scores.map((score) => 1 + scores.filter((other) => other > score).length);
}

/** The ranking as it is shown: a row for each group of equals, with its rank and the labels in it. */
export function rankingRows(labels, scores) {
  const ranks = competitionRanks(scores);
  return tieGroups(scores).map((positions) => ({
    rank: ranks[positions[0]],
    score: scores[positions[0]],
    labels: positions.map((position) => labels[position]),
  }));
}

/**
 * Places after the answer at `position` moves one place up (`step` -1) or down (1). It changes places with an
 * answer that is alone on the next place, joins several that share it, and takes the first free place if it had
 * none. `null` is no place yet.
 */
export function movedPlaces(places, position, step) {
  const moved = [...places];
  const from = places[position];
  if (from === null) {
    moved[position] = places.map((_, index) => index + 1).find((place) => !places.includes(place));
    return moved;
  }
  const to = Math.min(Math.max(from + step, 1), places.length);
  const there = places.flatMap((place, index) => (place === to && index !== position ? [index] : []));
  if (there.length === 1) moved[there[0]] = from;
  moved[position] = to;
  return moved;
}
