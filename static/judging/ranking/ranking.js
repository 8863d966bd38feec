// Ranks from scores. The rules are those of annotation/judging/core/ranking.py and rubric.py; tests/annotation/judging/ranking_rules.py binds
// both.

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
    labels: positions.map((position) => labels[position]),
    score: scores[positions[0]],
  }));
}

/**
 * The ranking of `answers`, each {label, scores: one for every dimension}, with the composites of each row. Rows
 * are told apart by sums of whole numbers, also where the rubric takes the mean: means tie exactly where sums do.
 */
export function scoredRows(answers) {
  const sums = answers.map(({ scores }) => sumOf(scores));
  return rankingRows(answers.map(({ label }) => label), sums).map(({ rank, labels, score }) => ({
    rank,
    labels,
    sum: score,
    mean: meanShown(score, answers[0].scores.length),
  }));
}

export function sumOf(scores) {
  return scores.reduce((sum, score) => sum + score, 0);
}

/** The mean of `count` whole scores that add up to `sum`, with one decimal; halves are rounded up. */
export function meanShown(sum, count) {
  return (Math.round((sum * 10) / count) / 10).toFixed(1);
}
