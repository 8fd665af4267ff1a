/** The changes near a comment and what links them to it. */
import type { Change, CodeComparison } from './compare-code.ts';
import { findLost, type LostCode } from './lost-code.ts';
import type { Request } from './read-comment.ts';
import { type WordChanges, wordChanges } from './word-changes.ts';

/** Changes at most this many lines from the commented ones may answer the comment. */
export const NEAR = 10;

export type EvidenceKind =
  | 'suggestion'
  | 'replaced'
  | 'removed'
  | 'deleted'
  | 'renamed'
  | 'spelled'
  | 'named'
  | 'vanished'
  | 'explained'
  | 'tested'
  | 'stated'
  | 'phrased'
  | 'rewritten'
  | 'shortened'
  | 'worded';

export interface Evidence {
  kind: EvidenceKind;
  /** The names or words it is about. */
  found: string[];
  /** How much of what was asked for was found; 0 to 1. */
  share: number;
  /** Whether exactly what was asked for was done, so that it needs no weighing. */
  isCertain: boolean;
  changes: Change[];
}

/** Evidence is searched in this. */
export interface CommentContext {
  request: Request;
  code: CodeComparison;
  /** The edits that change commented lines, those that are near, and the commented lines themselves. */
  touching: Change[];
  near: Change[];
  region: string[];
  /** How much of the commented lines is gone. */
  lost: LostCode;
  /** Words of the near edits, and of all edits: what only moved within the file was neither gained nor lost. */
  here: WordChanges;
  file: WordChanges;
}

export function makeContext(request: Request, code: CodeComparison): CommentContext {
  const edits = code.changes.filter(({ kind }) => kind === 'edit');
  const near = edits.filter(({ distance }) => distance <= NEAR);
  const touching = near.filter(({ distance }) => distance === 0);
  const file = wordChanges(code.changes);
  return {
    request,
    code,
    near,
    touching,
    region: code.before.slice(code.start, code.end),
    lost: findLost(code, touching, file),
    here: wordChanges(near),
    file,
  };
}
