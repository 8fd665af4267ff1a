/** The numbers that the judge weighs: 0 to 1, one for each row of the table in weights.ts. */

import { type CommentContext, type Evidence, type EvidenceKind, NEAR } from './comment-context.ts';
import type { Change } from './compare-code.ts';
import type { Feature } from './weights.ts';
import { wordChanges } from './word-changes.ts';

/** A comment of this many words counts fully as long. */
const LONG_COMMENT = 60;

export function measure(context: CommentContext, evidence: readonly Evidence[]): Record<Feature, number> {
  const { request, code, touching, near } = context;
  const { asks } = request;
  const has = (kind: EvidenceKind) => Number(evidence.some((found) => found.kind === kind));
  const hasNear = (kind: Change['kind'], distance: number) =>
    code.changes.some((change) => change.kind === kind && change.distance <= distance);
  const edits = code.changes.filter(({ kind }) => kind === 'edit');
  const isInserted = ({ distance, removed, added }: Change) =>
    distance === 1 && removed.length === 0 && added.length > 0;
  const touched = Number(touching.length > 0);
  return {
    touched,
    whole: touched * Math.min(1, (code.end - code.start) / longest(touching)),
    focused: touched * shareOfLines(near, edits),
    shortened: touched * Number(wordChanges(touching).gained.size === 0),
    inserted: Number(near.some(isInserted)),
    linkedNearby: Number(touched === 0 && evidence.length > 0),
    reformattedAsAsked: Number(asks.has('format') && hasNear('format', 1)),
    movedAsAsked: Number(asks.has('move') && hasNear('move', NEAR)),
    removed: has('removed'),
    vanished: has('vanished'),
    small: Number(asks.has('nit') || asks.has('format') || asks.has('spell')),
    against: Number(asks.has('avoid')),
    long: Math.min(1, Math.log1p(request.length) / Math.log1p(LONG_COMMENT)),
  };
}

/** The old lines of the largest change. */
function longest(changes: readonly Change[]): number {
  return Math.max(1, ...changes.map(({ beforeStart, beforeEnd }) => beforeEnd - beforeStart));
}

function shareOfLines(some: readonly Change[], all: readonly Change[]): number {
  const count = (changes: readonly Change[]) =>
    changes.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  return all.length === 0 ? 0 : count(some) / Math.max(1, count(all));
}
