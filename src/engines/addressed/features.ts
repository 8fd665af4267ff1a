/** The numbers that the judge weighs: 0 to 1, one for each row of the table in weights.ts. */
import type { Change } from './compare-code.ts';
import { type Evidence, type EvidenceKind, NEAR, type Scene } from './scene.ts';
import type { Feature } from './weights.ts';
import { wordChanges } from './word-changes.ts';

/** A comment of this many words counts fully as long. */
const LONG_COMMENT = 60;

export function measure(scene: Scene, evidence: readonly Evidence[]): Record<Feature, number> {
  const { request, code, touching, near } = scene;
  const { asks } = request;
  const shareOf = (kind: EvidenceKind) => evidence.find((found) => found.kind === kind)?.share ?? 0;
  const has = (kind: EvidenceKind) => Number(shareOf(kind) > 0);
  const hasNear = (kind: Change['kind'], distance: number) =>
    code.changes.some((change) => change.kind === kind && change.distance <= distance);
  const touched = Number(touching.length > 0);
  return {
    touched,
    focused:
      touched *
      shareOfLines(
        near,
        code.changes.filter(({ kind }) => kind === 'edit'),
      ),
    shortened: touched * Number(wordChanges(touching).gained.size === 0),
    inserted: Number(
      near.some(({ distance, removed, added }) => distance === 1 && removed.length < added.length),
    ),
    linkedNearby: Number(touched === 0 && evidence.length > 0),
    reformattedAsAsked: Number(asks.has('format') && hasNear('format', 1)),
    movedAsAsked: Number(asks.has('move') && hasNear('move', NEAR)),
    madeAsAsked: Math.max(has('suggestion'), has('replaced'), has('renamed'), has('spelled')),
    removed: has('removed'),
    vanished: has('vanished'),
    named: shareOf('named'),
    phrased: has('phrased'),
    worded: Math.sqrt(shareOf('worded')),
    explained: has('explained'),
    small: Number(asks.has('nit') || asks.has('format') || asks.has('spell')),
    long: Math.min(1, Math.log1p(request.length) / Math.log1p(LONG_COMMENT)),
  };
}

function shareOfLines(some: readonly Change[], all: readonly Change[]): number {
  const count = (changes: readonly Change[]) =>
    changes.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  return all.length === 0 ? 0 : count(some) / Math.max(1, count(all));
}
