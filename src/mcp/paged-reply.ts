/** A tool's reply in pages: rendered so that neither its structured nor its readable form exceeds the budget. */
import { z } from 'zod';
import { readCursor, writeCursor } from '../core/page.ts';
import { text } from '../core/shapes.ts';
import { bytesFor, fillPage, type Part, type Piece, type Position, TOKEN_LIMITS } from './budget.ts';
import type { Reply } from './tool.ts';

/** What every reading tool takes. */
export const PAGE_ARGUMENTS = {
  maxTokens: z
    .int()
    .min(TOKEN_LIMITS.least)
    .max(TOKEN_LIMITS.most)
    .optional()
    .describe(
      `The most the reply may take, in tokens (an estimate: 3 bytes each); ${TOKEN_LIMITS.usual.toLocaleString('en-US')} unless told.`,
    ),
  cursor: text({ max: 1000 })
    .optional()
    .describe('The `nextCursor` of the reply before, with the other arguments unchanged.'),
};

/** What every reading tool answers besides its own. */
export const PAGE_ANSWERS = {
  nextCursor: z.string().optional().describe('Send it as `cursor` for what comes next; absent at the end.'),
  leftOut: z.string().optional().describe('What is not in this reply, and how to get it.'),
};

export interface PageArguments {
  maxTokens?: number;
  cursor?: string;
}

/** How a page ends. */
export interface PageEnd {
  nextCursor?: string;
  /** How many pieces were too long for any page. */
  tooLarge: number;
}

/** What a cursor was made for (a commit, a version), and where it points to. */
export interface OpenedCursor {
  pins: string[];
  from: Position | null;
}

/** The cursor that came with a call; `pins` is how many values its tool puts in. */
export function openCursor(cursor: string | undefined, pins: number): OpenedCursor | undefined {
  const isText = () => true;
  const values = readCursor(cursor, [isText, isOffset, ...Array.from({ length: pins }, () => isText)]);
  return values && { pins: values.slice(2), from: { key: values[0]!, offset: Number(values[1]) } };
}

function isOffset(value: string): boolean {
  return /^\d{1,9}$/.test(value);
}

export function pagedReply<P extends Piece>(
  given: PageArguments,
  page: {
    pieces: readonly P[];
    from: Position | null;
    /** What the next cursor carries besides its position. */
    pins: string[];
    /** Where to go on after the last piece, when there is more than the pieces. */
    after?: Position | null;
    render(parts: readonly Part<P>[], end: PageEnd): Reply;
  },
): Reply {
  const endOf = (next: Position | null, tooLarge: number): PageEnd => {
    const following = next ?? page.after;
    const nextCursor = following && writeCursor([following.key, String(following.offset), ...page.pins]);
    return nextCursor ? { nextCursor, tooLarge } : { tooLarge };
  };
  const budgetBytes = bytesFor(given.maxTokens ?? TOKEN_LIMITS.usual);
  // What was measured last is most often what is sent.
  let last: { page: string; reply: Reply } | undefined;
  const render = (parts: readonly Part<P>[], next: Position | null, tooLarge: number): Reply => {
    const [from, to] = [parts[0], parts.at(-1)];
    const extent = JSON.stringify([from?.piece.key, from?.start, to?.piece.key, to?.end, next, tooLarge]);
    if (last?.page !== extent) last = { page: extent, reply: page.render(parts, endOf(next, tooLarge)) };
    return last.reply;
  };
  const { next, parts, tooLarge } = fillPage(page.pieces, page.from, budgetBytes, (...some) =>
    sizeOf(render(...some)),
  );
  return render(parts, next, tooLarge.length);
}

/** What is not in the reply, in our own words; undefined when everything is. */
export function leftOutSentence(end: PageEnd, ...more: (string | null | undefined)[]): string | undefined {
  const sentences = [
    end.nextCursor && 'There is more: call again with the same arguments and `nextCursor` as `cursor`.',
    end.tooLarge > 0 &&
      `Too long for this \`maxTokens\`, so skipped: ${end.tooLarge}. Ask with a larger one.`,
    ...more,
  ];
  return sentences.filter((sentence) => sentence).join(' ') || undefined;
}

/** The same as the last lines of the readable form. */
export function endingLines(end: PageEnd, leftOut: string | undefined): string[] {
  return [
    ...(leftOut ? [`Left out: ${leftOut}`] : []),
    ...(end.nextCursor ? [`nextCursor: ${end.nextCursor}`] : []),
  ];
}

/** Clients show a model the one form or the other: each must keep the budget. */
function sizeOf({ structured, text: readable }: Reply): number {
  return Math.max(Buffer.byteLength(JSON.stringify(structured)), Buffer.byteLength(readable));
}
