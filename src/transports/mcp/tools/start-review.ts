/** start_review: an agent starts a review of a pull request, a branch or a diff, and receives what to look at in pages. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import { vendorNamedBy } from '../agent-vendor.ts';
import type { Part, Piece } from '../text/budget.ts';
import { ours } from '../text/marking.ts';
import { moreSentence, openPage, PAGE_OUTPUT, pageArguments, pagedReply } from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { ADDS, defineTool } from '../tool.ts';

const MAX_NAMED_PATHS = 20;
/** Per finding. */
const MAX_SHOWN_EVIDENCE = 5;
const MAX_QUOTE_CHARACTERS = 300;

type Review = Operations['start-review']['output'];
type Found = Review['found'][number];
type ChangedFile = Review['files'][number];

const ChangeReply = z.object({
  runId: ours('id'),
  repository: z.string(),
  prNumber: z.int().optional(),
  headCommit: ours('id'),
  mergeBase: ours('id'),
  ...PAGE_OUTPUT,
  notReviewed: z.array(z.string()).optional(),
  warning: z.string().optional(),
  reviewers: z.array(
    z.object({
      title: z.string(),
      looksFor: z.string(),
      instructions: z.string().optional(),
      paths: z.array(z.string()).optional(),
    }),
  ),
  doNotRaise: z.array(
    z.object({ title: z.string(), file: z.string(), quote: z.string(), reason: z.string() }),
  ),
  found: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      line: z.int(),
      side: ours('word'),
      scenario: z.string(),
      quote: z.string(),
      evidence: z.array(z.string()),
      check: z.string(),
    }),
  ),
  files: z.array(
    z.object({
      path: z.string(),
      oldPath: z.string().optional(),
      change: ours('word'),
      added: ours('word'),
      lines: z.string(),
    }),
  ),
});

export const startReview = defineTool({
  name: 'start_review',
  title: 'Start a review',
  description: {
    does: 'Start reviewing a change: `prNumber`, a pushed `branch`, or, before a push, `diff` with `base`. Only findings on pull requests are published, by `finish_review`.',
    use: 'when the user wants a change reviewed. Every call renews the lease of 30 minutes; 10 reviews can be open.',
    returns:
      '`runId`, `reviewers` (what to look for), `doNotRaise`, `found` (proven: tell the user), and changed lines of `files`: `+12:` is line 12 at the head, `-10:` a removed line. Read every page: send `runId` and `cursor` alone. `instructions` only say what to look for.',
    next: '`report_finding` for each finding, then `finish_review`.',
  },
  operations: ['start-review', 'mark-review-served'],
  hints: ADDS,
  input: (fieldsOf) => z.object({ ...fieldsOf('start-review'), ...pageArguments({ minTokens: 2000 }) }),
  output: ChangeReply,
  async run({ cursor, maxTokens, ...given }, context) {
    // An invalid cursor is refused before anything is written: the new review would stay open, and the caller wouldn't know its id.
    const requested = { runId: given.runId, cursor, maxTokens };
    openPage('start_review', requested);
    const agentVendor =
      given.agentVendor ??
      vendorNamedBy(context.client.name, context.settings.agentVendors) ??
      vendorNamedBy(context.client.userAgent, context.settings.agentVendors);
    const review = await context.run('start-review', { ...given, ...(agentVendor && { agentVendor }) });
    const { runId } = review;
    const served: string[] = [];
    // Later pages are asked for by the review alone: a diff need not be sent again.
    const page = { runId, ...(cursor && { cursor }), ...(maxTokens && { maxTokens }) };
    const reply = pagedReply(openPage('start_review', page), {
      output: ChangeReply,
      pieces: piecesOf(review),
      pin: review.headCommit,
      render(parts, end) {
        served.length = 0;
        for (const { end: last, piece } of parts) {
          if (piece.file && last === piece.text.length) served.push(piece.file.path);
        }
        return {
          runId,
          repository: review.repository,
          ...(review.prNumber !== null && { prNumber: review.prNumber }),
          headCommit: review.headCommit,
          mergeBase: review.mergeBase,
          more: moreSentence(
            { tooLarge: end.tooLarge },
            end.nextCursor && 'There is more: call again with `runId` and `nextCursor` as `cursor` alone.',
          ),
          nextCursor: end.nextCursor,
          ...notReviewedIn(review),
          ...(review.warning !== null && { warning: review.warning }),
          reviewers: shown(parts, 'reviewer').map(({ piece, text }) => ({
            ...piece.reviewer!,
            ...(text !== '' && { instructions: text }),
          })),
          doNotRaise: shown(parts, 'silenced').map(({ piece }) => piece.silenced!),
          found: shown(parts, 'found').map(({ piece }) => piece.found!),
          files: shown(parts, 'file').map(({ piece, text }) => ({ ...piece.file!, lines: text })),
        };
      },
    });
    if (served.length > 0) await context.run('mark-review-served', { runId, paths: pathsOf(review, served) });
    return reply;
  },
});

interface ReviewPiece extends Piece {
  reviewer?: { title: string; looksFor: string; paths?: string[] };
  silenced?: Review['doNotRaise'][number];
  found?: ReturnType<typeof shownFinding>;
  file?: { path: string; oldPath?: string; change: string; added: string };
}

function shown(parts: readonly Part<ReviewPiece>[], kind: 'reviewer' | 'silenced' | 'found' | 'file') {
  return parts.filter(({ piece }) => piece[kind] !== undefined);
}

function piecesOf(review: Review): ReviewPiece[] {
  return [
    ...review.reviewers.map(({ instructions, looksFor, paths, title }, index) => ({
      key: `reviewer ${index}`,
      text: visible(instructions ?? ''),
      reviewer: {
        ...{ title: visible(title), looksFor: visible(looksFor) },
        ...(paths.length > 0 && { paths: paths.map(visible) }),
      },
    })),
    ...review.doNotRaise.map(({ file, quote, reason, title }, index) => ({
      ...{ key: `silenced ${index}`, text: '', atomic: true },
      silenced: {
        ...{ title: visible(title), file: visible(file), quote: visible(cut(quote)) },
        reason: visible(reason),
      },
    })),
    ...review.found.map((each) => ({
      ...{ key: `found ${each.id}`, text: '', atomic: true },
      found: shownFinding(each),
    })),
    ...review.files.map((file) => ({
      key: `file ${file.path}`,
      text: visible(writeLines(file)),
      file: {
        path: visible(file.path),
        ...(file.oldPath !== null && { oldPath: visible(file.oldPath) }),
        change: file.change,
        added: addedRanges(file),
      },
    })),
  ];
}

function shownFinding({ check, claim, evidence, file, line, quote, scenario, side, title }: Found) {
  const places = evidence.slice(0, MAX_SHOWN_EVIDENCE).map(({ line: at, path, quote: text, repository }) => {
    const place = `${path}:${at}`;
    const where = repository ? `${repository.name} ${place}@${repository.commit.slice(0, 12)}` : place;
    return visible(`${where}: ${cut(text)}`);
  });
  const more = evidence.length - places.length;
  return {
    ...{ title: visible(title), file: visible(file), line, side, scenario: visible(scenario) },
    // Secrets are truncated.
    ...{ quote: `${visible(cut(quote))}${claim === 'secret' ? '…' : ''}`, check: visible(check) },
    evidence: more > 0 ? [...places, `and ${more} more`] : places,
  };
}

/** A finding is never split between pages, so that its lines must not fill one. */
function cut(quote: string): string {
  return quote.trim().slice(0, MAX_QUOTE_CHARACTERS).toWellFormed();
}

/** The paths as the change has them, of those that were shown. */
function pathsOf(review: Review, served: string[]): string[] {
  const names = new Set(served);
  return review.files.map(({ path }) => path).filter((path) => names.has(visible(path)));
}

function writeLines({ hunks }: ChangedFile): string {
  return hunks
    .flatMap(({ added, newStart, oldStart, removed }) => [
      ...removed.map((text, index) => `-${oldStart + index}: ${text}\n`),
      ...added.map((text, index) => `+${newStart + index}: ${text}\n`),
    ])
    .join('');
}

function addedRanges({ hunks }: ChangedFile): string {
  return hunks
    .filter(({ newLines }) => newLines > 0)
    .map(({ newLines, newStart }) =>
      newLines === 1 ? `${newStart}` : `${newStart}-${newStart + newLines - 1}`,
    )
    .join(',');
}

function notReviewedIn({ moreFiles, notReviewed }: Review): { notReviewed?: string[] } {
  const named = notReviewed
    .slice(0, MAX_NAMED_PATHS)
    .map(({ path, reason }) => `${visible(path)} (${reason})`);
  const rest = notReviewed.length - named.length + moreFiles;
  if (rest > 0) named.push(rest === 1 ? '1 more file' : `${rest} more files`);
  return named.length > 0 ? { notReviewed: named } : {};
}
