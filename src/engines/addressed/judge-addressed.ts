/**
 * Whether the new code answers a review comment. Pure and deterministic.
 *
 * Invariants: never `addressed` after a person's objection, for code that was only reformatted or moved (unless a suggestion says
 * exactly so), for an unanswered question, or without a link between the comment and a change; an unchanged file only through a hunk of another file,
 * which the reason names. `confidence` is at least ADDRESSED exactly if the verdict is `addressed`, and below MAYBE exactly
 * if it is `open`.
 */
import { isName, tokensOf } from './code-words.ts';
import { type CommentContext, type Evidence, type EvidenceKind, makeContext } from './comment-context.ts';
import { type Change, type CodeComparison, compareCode } from './compare-code.ts';
import { findEvidence } from './evidence.ts';
import { measure } from './features.ts';
import { endsWithQuestion, findObjection } from './objections.ts';
import { findElsewhere } from './other-files.ts';
import { type Request, readComment } from './read-comment.ts';
import { describe, describeLines, sentenceCase } from './reason.ts';
import type { AnsweringHunk, Judgment, ReviewThread } from './thread.ts';
import { ADDRESSED, LEARNED, MAYBE, type Weights, weigh } from './weights.ts';

/** The highest confidences of a verdict that must not be the next one. */
const AT_MOST_MAYBE = ADDRESSED - 0.01;
const AT_MOST_OPEN = MAYBE - 0.01;

export function judgeAddressed(thread: ReviewThread, weights: Weights = LEARNED): Judgment {
  const request = readComment(thread.comment);
  const objection = findObjection(thread.replies);
  if (objection !== undefined) return open(0, `A later reply objects: “${objection}”`);
  const elsewhere = judgeElsewhere(thread, request);
  if (thread.before === thread.after) {
    return elsewhere ?? open(0, 'The file is unchanged, and no other change fits the comment.');
  }
  const here = judgeFile(thread, request, compareCode(thread), weights);
  return elsewhere && elsewhere.confidence > here.confidence ? elsewhere : here;
}

function judgeFile(thread: ReviewThread, request: Request, code: CodeComparison, weights: Weights): Judgment {
  const context = makeContext(request, code);
  const evidence = findEvidence(context);
  const confidence = weigh(measure(context, evidence), weights);
  const hunksOf = (changes: readonly Change[]) => changes.map((change) => hunkOf(thread.file, change));
  if (context.near.length === 0 && !evidence.some(({ kind }) => kind === 'suggestion')) {
    const only = onlyReformattedOrMoved(request, code, confidence);
    if (only) return { ...only.judgment, hunks: hunksOf(only.changes) };
  }
  const best = evidence.find(({ isCertain }) => isCertain) ?? evidence[0];
  if (!best) {
    const where = describeLines(context.touching.length > 0 ? context.touching : context.near);
    const reason =
      context.near.length > 0
        ? `${sentenceCase(where)} changed, but nothing shows that it answers the comment.`
        : 'Nothing changed near the commented lines.';
    return {
      ...verdictOf(Math.min(confidence, AT_MOST_MAYBE), reason),
      hunks: hunksOf(context.near.slice(0, 5)),
    };
  }
  const hunks = hunksOf(best.changes);
  const isBoth = agrees(evidence);
  if (isUnanswered(thread, context, evidence, isBoth)) {
    const reason = `${sentenceCase(describeLines(best.changes))} changed, but a question is unanswered.`;
    return { ...verdictOf(Math.min(confidence, AT_MOST_MAYBE), reason), hunks };
  }
  // Any edit may take a name out; something must have come instead.
  const isGoneOnly = evidence.every(({ kind }) => kind === 'vanished');
  if (!best.isCertain && (isGoneOnly || (isUnmet(context) && !isBoth))) {
    const reason = `${sentenceCase(describeLines(best.changes))} changed, but not to what the comment names.`;
    return { ...verdictOf(Math.min(confidence, AT_MOST_MAYBE), reason), hunks };
  }
  const raised = best.isCertain ? Math.max(confidence, ADDRESSED) : confidence;
  return { ...verdictOf(raised, describe(best)), hunks };
}

/** Near the comment, code was only reformatted or moved: possibly what the comment asks for, never certainly. */
function onlyReformattedOrMoved(request: Request, code: CodeComparison, confidence: number) {
  for (const [kind, ask, word] of [
    ['format', 'format', 'reformatted'],
    ['move', 'move', 'moved'],
  ] as const) {
    const changes = code.changes.filter((change) => change.kind === kind && change.distance <= 1);
    if (changes.length === 0) continue;
    const isAsked = request.asks.has(ask);
    const limited = isAsked
      ? Math.min(Math.max(confidence, MAYBE), AT_MOST_MAYBE)
      : Math.min(confidence, AT_MOST_OPEN);
    const reason = `${sentenceCase(describeLines(changes))} ${isAsked ? 'changed: the code was' : 'was'} only ${word}.`;
    return { judgment: verdictOf(limited, reason), changes };
  }
  return undefined;
}

/** A comment about lines is moot once this share of them is gone. */
const MOSTLY_GONE = 1 / 3;

/** A new name doesn't answer a question. */
const ANSWERS = new Set<EvidenceKind>(['explained', 'suggestion', 'replaced', 'removed', 'deleted']);

const SAID = new Set<EvidenceKind>(['named', 'phrased', 'worded', 'explained']);

/** The lines were rewritten, and with what the comment says: one sign confirms the other. */
function agrees(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ kind }) => kind === 'rewritten') && evidence.some(({ kind }) => SAID.has(kind));
}

/** A question is answered by a comment in the code, or by the change that the comment describes; or the lines it is about are gone. */
function isUnanswered(
  thread: ReviewThread,
  { request, lost }: CommentContext,
  evidence: readonly Evidence[],
  isBoth: boolean,
): boolean {
  if (endsWithQuestion(thread.replies)) return true;
  if (!request.asks.has('question')) return false;
  const isMoot = lost.share >= MOSTLY_GONE && evidence.some(({ kind }) => kind === 'rewritten');
  return !isMoot && !isBoth && !evidence.some(({ kind, isCertain }) => isCertain && ANSWERS.has(kind));
}

/** The comment names something new, and nothing of it is in the new code. */
function isUnmet({ request, region, file, lost }: CommentContext): boolean {
  if (lost.share >= MOSTLY_GONE && !request.asks.has('rename')) return false;
  const old = new Set(region.flatMap(tokensOf));
  const wanted = [...request.marked].filter((name) => isName(name) && !old.has(name));
  return wanted.length > 0 && !wanted.some((name) => file.gained.has(name));
}

function judgeElsewhere(thread: ReviewThread, request: Request): Judgment | undefined {
  const found = findElsewhere(request, thread.commentedCode.split('\n').slice(0, 200), thread.otherHunks);
  if (!found) return undefined;
  const { file, startLine, before, after } = found.hunk;
  const isCertain = found.isCertain && !request.asks.has('question') && !endsWithQuestion(thread.replies);
  const reason = `${found.what} in ${file}, line ${startLine}.`;
  const hunk = {
    file,
    beforeStart: startLine,
    beforeEnd: startLine + before.length - 1,
    afterStart: startLine,
    afterEnd: startLine + after.length - 1,
  };
  return { ...verdictOf(isCertain ? ADDRESSED : MAYBE, reason), hunks: [hunk] };
}

function open(confidence: number, reason: string): Judgment {
  return { ...verdictOf(confidence, reason), hunks: [] };
}

function verdictOf(confidence: number, reason: string): Omit<Judgment, 'hunks'> {
  const verdict = confidence >= ADDRESSED ? 'addressed' : confidence >= MAYBE ? 'maybe' : 'open';
  // A name or a quotation that was shortened can end in half of a character, which can't be stored.
  return { verdict, confidence, reason: reason.toWellFormed() };
}

function hunkOf(file: string, change: Change): AnsweringHunk {
  return {
    file,
    beforeStart: change.beforeStart + 1,
    beforeEnd: change.beforeEnd,
    afterStart: change.afterStart + 1,
    afterEnd: change.afterEnd,
  };
}
