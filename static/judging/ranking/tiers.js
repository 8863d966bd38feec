// A direct ranking as tiers: lists of positions, best tier first. Whoever is in none has no place yet.

import { competitionRanks, tieGroups } from "./ranking.js";

/** The tiers that `places` make (1 is best, `null` is none yet), whatever numbers are left out between them. */
export function tiersOf(places) {
  const placed = places.flatMap((place, position) => (place === null ? [] : [position]));
  return tieGroups(placed.map((position) => -places[position])).map((group) => group.map((at) => placed[at]));
}

/** The place of each of `count` answers: one more than the number of better ones, `null` in no tier. */
export function placesOf(tiers, count) {
  const tierAt = Array.from({ length: count }, (_, position) => tiers.findIndex((tier) => tier.includes(position)));
  const placed = tierAt.filter((tier) => tier !== -1);
  const ranks = competitionRanks(placed.map((tier) => -tier));
  return tierAt.map((tier) => (tier === -1 ? null : ranks[placed.indexOf(tier)]));
}

/** `tiers` with the answer at `position` in tier `index`: a tie. */
export function movedInto(tiers, position, index) {
  const joined = [...new Set([...tiers[index], position])].sort();
  return without(tiers.with(index, joined), position, index);
}

/** `tiers` with the answer at `position` alone, before tier `index`; `index` may be one past the last. */
export function movedBetween(tiers, position, index) {
  return without(tiers.toSpliced(index, 0, [position]), position, index);
}

export function takenBack(tiers, position) {
  return without(tiers, position);
}

function without(tiers, position, except) {
  return tiers
    .map((tier, at) => (at === except ? tier : tier.filter((other) => other !== position)))
    .filter((tier) => tier.length);
}

/**
 * `tiers` after a step up (-1) or down (1). An answer that is alone joins the next tier; one that ties moves out,
 * to stand alone between the tiers; one without a place becomes the last.
 */
export function stepped(tiers, position, direction) {
  const index = tiers.findIndex((tier) => tier.includes(position));
  if (index === -1) return movedBetween(tiers, position, tiers.length);
  if (tiers[index].length > 1) return movedBetween(tiers, position, direction < 0 ? index : index + 1);
  return tiers[index + direction] ? movedInto(tiers, position, index + direction) : tiers;
}
