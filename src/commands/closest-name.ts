/** Suggests the name that was probably meant. */
import { editDistance } from '../platform/core/text/edit-distance.ts';

/** The candidate within one or two typos, or undefined if none is close. */
export function closestName(given: string, candidates: readonly string[]): string | undefined {
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(given.slice(0, 100).toLowerCase(), name);
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { name, distance };
    }
  }
  return best?.name;
}
