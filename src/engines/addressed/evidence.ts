/** Finds what links a comment to the changes near it. Without a link, no change is taken for an answer. */
import { appliedExactly } from './applied-exactly.ts';
import { named, phrased, vanished, worded } from './matching-words.ts';
import { removed, renamed, replaced, spelled, suggestionApplied } from './requested-changes.ts';
import { explained, tested } from './requested-text.ts';
import type { Evidence, Scene } from './scene.ts';

/** The surest first. */
const SEARCHES = [
  ...[suggestionApplied, replaced, removed, renamed, spelled],
  ...[named, vanished, explained, tested, phrased, worded],
];

export function findEvidence(scene: Scene): Evidence[] {
  const exact = appliedExactly(scene);
  const found =
    scene.near.length === 0 && !scene.request.asks.has('test')
      ? []
      : SEARCHES.map((search) => search(scene)).filter((each) => each !== undefined);
  return exact ? [exact, ...found] : found;
}
