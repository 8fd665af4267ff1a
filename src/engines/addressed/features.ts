/** The numbers that the judge weighs: 0 to 1, one for each row of the table in weights.ts. */

import { isName, tokensOf } from './code-words.ts';
import { type CommentContext, type Evidence, type EvidenceKind, NEAR } from './comment-context.ts';
import type { Change } from './compare-code.ts';
import type { Feature } from './weights.ts';

/** With this share of the commented lines gone, they count fully as rewritten. */
const REWRITTEN = 0.5;

/** Edits farther away answer other comments. */
const LINKED = 3;

/** These say what happened to the lines, and not that it is what the comment is about. */
const WITHOUT_LINK = new Set<EvidenceKind>(['rewritten', 'deleted', 'shortened']);

export function measure(context: CommentContext, evidence: readonly Evidence[]): Record<Feature, number> {
  const { request, code, touching, near, lost } = context;
  const { asks } = request;
  const hasNear = (kind: Change['kind'], distance: number) =>
    code.changes.some((change) => change.kind === kind && change.distance <= distance);
  const isInserted = ({ distance, removed, added }: Change) =>
    distance === 1 && removed.length === 0 && added.length > 0;
  const isLinked = ({ kind, changes }: Evidence) =>
    !WITHOUT_LINK.has(kind) && changes.some(({ distance }) => distance <= LINKED);
  return {
    touched: Number(touching.length > 0),
    rewritten: Math.min(1, lost.share / REWRITTEN),
    linked: Number(evidence.some(isLinked)),
    inserted: Number(near.some(isInserted) && !asks.has('remove')),
    rearranged: Number(
      (asks.has('format') && hasNear('format', 1)) || (asks.has('move') && hasNear('move', NEAR)),
    ),
    small: Number(asks.has('nit') || asks.has('format') || asks.has('spell')),
    renamedThroughout: Number(lost.isRenamedThroughout && !RENAMES.some((ask) => asks.has(ask))),
    unmet: Number(isUnmetWord(context)),
    against: Number(asks.has('avoid')),
  };
}

/** A name that changes in the whole file can be the answer to these. */
const RENAMES = ['rename', 'remove', 'format', 'spell'] as const;

/** The comment is only a word or a name, which the commented lines don't have and didn't get. */
function isUnmetWord({ request, region, touching, here }: CommentContext): boolean {
  if (request.length !== 1 || touching.length === 0) return false;
  const old = new Set(region.flatMap(tokensOf));
  const wanted = [...request.names].filter((name) => isName(name) && !old.has(name));
  return wanted.length > 0 && !wanted.every((name) => here.gained.has(name));
}
