/** A tool's reply in pages: rendered so that neither its structured nor its readable form exceeds the budget. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../platform/core/errors.ts';
import { readCursor, writeCursor } from '../../platform/core/page.ts';
import { text } from '../../platform/core/shapes.ts';
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

/** The page that a call asks for: what its cursor was made for, and where it points to. */
interface OpenedPage {
  maxTokens: number;
  /** The call that cursors belong to, in short. */
  purpose: string;
  /** What the cursor says was found before (a commit, a version); undefined on the first page. */
  pin?: string;
  from: Position | null;
}

export function openPage(tool: string, given: PageArguments): OpenedPage {
  const maxTokens = given.maxTokens ?? TOKEN_LIMITS.usual;
  const purpose = purposeOf(tool, given);
  const values = readCursor(given.cursor, [isText, isOffset, isText, isText]);
  if (!values) return { maxTokens, purpose, from: null };
  const [key, offset, madeFor, pin] = values as [string, string, string, string];
  if (madeFor !== purpose) {
    throw invalidRequest([
      {
        path: 'cursor',
        message: 'was made for other arguments; send it with those, or call again without it',
      },
    ]);
  }
  return { maxTokens, purpose, pin, from: { key, offset: Number(offset) } };
}

/** What may differ from page to page. */
const FREE = new Set(['maxTokens', 'cursor', 'sessionId', 'sessionRepository', 'agentVendor']);

function purposeOf(tool: string, given: object): string {
  const bound = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !FREE.has(name))
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, bound]))
    .digest('hex')
    .slice(0, 8);
}

function isText(): boolean {
  return true;
}

function isOffset(value: string): boolean {
  return /^\d{1,9}$/.test(value);
}

export function pagedReply<P extends Piece, Structured>(
  opened: OpenedPage,
  page: {
    pieces: readonly P[];
    /** What later pages are to be of: a commit, a version. */
    pin: string;
    /** Where to go on after the last piece, when there is more than the pieces. */
    after?: Position | null;
    render(parts: readonly Part<P>[], end: PageEnd): Reply<Structured>;
  },
): Reply<Structured> {
  const endOf = (next: Position | null, tooLarge: number): PageEnd => {
    const following = next ?? page.after;
    const nextCursor =
      following && writeCursor([following.key, String(following.offset), opened.purpose, page.pin]);
    return nextCursor ? { nextCursor, tooLarge } : { tooLarge };
  };
  const budgetBytes = bytesFor(opened.maxTokens);
  // What was measured last is most often what is sent.
  let last: { page: string; reply: Reply<Structured> } | undefined;
  const render = (parts: readonly Part<P>[], next: Position | null, tooLarge: number): Reply<Structured> => {
    const [from, to] = [parts[0], parts.at(-1)];
    const extent = JSON.stringify([from?.piece.key, from?.start, to?.piece.key, to?.end, next, tooLarge]);
    if (last?.page !== extent) last = { page: extent, reply: page.render(parts, endOf(next, tooLarge)) };
    return last.reply;
  };
  const { next, parts, tooLarge } = fillPage(page.pieces, opened.from, budgetBytes, (...some) =>
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
function sizeOf({ structured, text: readable }: Reply<unknown>): number {
  return Math.max(Buffer.byteLength(JSON.stringify(structured)), Buffer.byteLength(readable));
}
