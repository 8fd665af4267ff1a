/** Suggests repositories for an unknown name: a typo or two away, or sharing a part of the name. */
import { editDistance } from '../../platform/core/text/edit-distance.ts';

const MAX_NAMES = 5;
const MIN_PART_CHARACTERS = 3;
const MAX_COMPARED_CHARACTERS = 100;

/** At most five names, most similar first. Not case-sensitive; a name without a slash is compared with last parts. */
export function nearNames(wanted: string, names: readonly string[]): string[] {
  const given = wanted.toLowerCase().slice(0, MAX_COMPARED_CHARACTERS);
  return names
    .map((name) => ({ name, distance: distanceTo(given, name.toLowerCase()) }))
    .filter(({ distance }) => distance !== Number.POSITIVE_INFINITY)
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}

/** Infinite when the names have nothing in common. */
function distanceTo(given: string, name: string): number {
  const [givenLeaf, nameLeaf] = [leafOf(given), leafOf(name)];
  // The right repository with a wrong or missing owner.
  if (givenLeaf === nameLeaf) return 0;
  const distance = Math.min(
    slips(givenLeaf, nameLeaf),
    given.includes('/') ? slips(given, name) : Number.POSITIVE_INFINITY,
  );
  const isPart = givenLeaf.length >= MIN_PART_CHARACTERS && nameLeaf.includes(givenLeaf);
  return Math.min(distance, isPart ? nameLeaf.length - givenLeaf.length + 1 : Number.POSITIVE_INFINITY);
}

function slips(given: string, name: string): number {
  const most = Math.max(1, Math.floor(name.length / 3));
  if (Math.abs(given.length - name.length) > most) return Number.POSITIVE_INFINITY;
  const distance = editDistance(given, name);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

function leafOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}
