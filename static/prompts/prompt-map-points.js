// The points of a prompt map, and which of them is meant. A drawing's rows are lists, in the order of the fields in
// generation/prompts/core/prompt_map.py.

/** Scenarios first, then prompts, each with what it belongs to. */
export function pointsOf({ scenarios, prompts, strata, generators }) {
  const rings = scenarios.map(([id, key, stratum, x, y]) => ({ id, key, stratum, x, y, of: strata[stratum] }));
  for (const ring of rings) ring.scenario = ring;
  const marks = prompts.map(([id, scenario, generator, position, x, y]) => ({
    id, generator, position, x, y,
    scenario: rings[scenario],
    family: generators[generator][1],
  }));
  return [...rings, ...marks];
}

export function isPrompt(point) {
  return point.generator !== undefined;
}

/** What is to be seen of the points: of these generators (a set) and this stratum (null: all). */
export function visible(points, { generators, stratum }) {
  return points.filter(
    (point) =>
      (stratum === null || point.scenario.stratum === stratum) &&
      (!isPrompt(point) || generators.has(point.generator)),
  );
}

/** The point nearest to a place, no farther than `reach`; null where there is none. Prompts come before scenarios. */
export function nearest(points, { x, y }, reach) {
  let [found, least] = [null, reach];
  for (const point of points) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance < least || (distance === least && isPrompt(point))) [found, least] = [point, distance];
  }
  return found;
}

/** The next point in a direction, [−1, 0] being left and [0, 1] up; what lies aside counts as twice as far. */
export function neighbour(points, from, [right, up]) {
  let [found, least] = [null, Infinity];
  for (const point of points) {
    const [x, y] = [point.x - from.x, point.y - from.y];
    const [ahead, aside] = [x * right + y * up, Math.abs(x * up - y * right)];
    if (ahead <= 0 || aside > ahead) continue;
    const distance = ahead + 2 * aside;
    if (distance < least) [found, least] = [point, distance];
  }
  return found;
}

/** The point so many places further in the order of the points, round and round. */
export function further(points, from, steps) {
  const place = points.indexOf(from);
  return points[(place + steps + points.length) % points.length] ?? null;
}
