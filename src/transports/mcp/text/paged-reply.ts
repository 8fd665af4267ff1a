/** Renders a tool's reply in pages, so that what a model receives stays within the budget. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { invalidRequest } from '../../../platform/core/errors/errors.ts';
import { readCursor, writeCursor } from '../../../platform/core/operations/page.ts';
import { text } from '../../../platform/core/operations/shapes.ts';
import { WithText } from '../tool.ts';
import { bytesFor, fillPage, type Part, type Piece, type Position, TOKEN_LIMITS } from './budget.ts';
import type { Fences } from './fence.ts';
import { bytesOfNotice, ours } from './marking.ts';

/** The arguments of every tool with pages. A reply with many facts around its text needs a larger `minTokens`. */
export function pageArguments({ minTokens = TOKEN_LIMITS.min }: { minTokens?: number } = {}) {
  return {
    maxTokens: z
      .int()
      .min(minTokens)
      .max(TOKEN_LIMITS.max)
      .optional()
      .describe(`Default ${TOKEN_LIMITS.default}.`),
    cursor: text({ max: 1000 }).optional().describe('`nextCursor` of the last reply.'),
  };
}

export const PAGE_ARGUMENTS = pageArguments();

/** The output fields of every tool with pages. */
export const PAGE_OUTPUT = {
  more: ours('sentence').optional().describe('What is not in this reply, and how to get it.'),
  nextCursor: ours('cursor')
    .optional()
    .describe('Send it as `cursor` for the next page; absent on the last.'),
};

export interface PageArguments {
  maxTokens?: number;
  cursor?: string;
}

export interface PageEnd {
  nextCursor?: string;
  /** How many pieces were skipped because they fit on no page. */
  tooLarge: number;
}

/** The page that a call requests. */
interface OpenedPage {
  maxTokens: number;
  /** Hash of the tool and the arguments that its cursors belong to. */
  purpose: string;
  /** The commit, version or list of the first page, from the cursor; undefined on the first page. */
  pin?: string;
  from: Position | null;
}

export function openPage(tool: string, given: PageArguments): OpenedPage {
  const maxTokens = given.maxTokens ?? TOKEN_LIMITS.default;
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

/** Arguments that may differ between pages. */
const UNBOUND = new Set(['maxTokens', 'cursor', 'sessionId', 'sessionRepository', 'agentVendor']);

function purposeOf(tool: string, given: object): string {
  const bound = Object.entries(given)
    .filter(([name, value]) => value !== undefined && !UNBOUND.has(name))
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

export function pagedReply<P extends Piece, Reply extends object | string>(
  opened: OpenedPage,
  page: {
    /** The shape of a structured reply: what marking it adds counts too. */
    output: Reply extends string ? undefined : z.ZodObject;
    pieces: readonly P[];
    /** The commit, version or list that later pages must belong to. */
    pin: string;
    /** Where the next page starts after the last piece, if there is more than `pieces`. */
    after?: Position | null;
    render(parts: readonly Part<P>[], end: PageEnd): Reply;
  },
): Reply {
  const endOf = (next: Position | null, tooLarge: number): PageEnd => {
    const following = next ?? page.after;
    const nextCursor =
      following && writeCursor([following.key, String(following.offset), opened.purpose, page.pin]);
    return nextCursor ? { nextCursor, tooLarge } : { tooLarge };
  };
  const budgetBytes = bytesFor(opened.maxTokens) - (page.output ? bytesOfNotice(page.output) : 0);
  // Usually the page that was measured last is the one that is sent.
  let last: { page: string; reply: Reply } | undefined;
  const render = (parts: readonly Part<P>[], next: Position | null, tooLarge: number): Reply => {
    const [from, to] = [parts[0], parts.at(-1)];
    const extent = JSON.stringify([from?.piece.key, from?.start, to?.piece.key, to?.end, next, tooLarge]);
    if (last?.page !== extent) last = { page: extent, reply: page.render(parts, endOf(next, tooLarge)) };
    return last.reply;
  };
  const { next, parts, tooLarge } = fillPage(page.pieces, opened.from, budgetBytes, (...candidate) =>
    sizeOf(render(...candidate)),
  );
  return render(parts, next, tooLarge.length);
}

/** Sentences about the rest of the list; undefined if the reply is complete. */
export function moreSentence(end: PageEnd, ...more: (string | null | undefined)[]): string | undefined {
  const sentences = [
    end.nextCursor && 'There is more: call again with the same arguments and `nextCursor` as `cursor`.',
    end.tooLarge > 0 &&
      `${end.tooLarge} ${end.tooLarge === 1 ? 'entry was' : 'entries were'} skipped because ${end.tooLarge === 1 ? 'it does' : 'they do'} not fit into \`maxTokens\`. Call again with a larger value.`,
    ...more,
  ];
  return sentences.filter((sentence) => sentence).join(' ') || undefined;
}

/** Fenced, because what a search did not cover can name repositories; goes at the end of a text reply. */
export function leftOutLines(fences: Fences, leftOut: readonly string[]): string[] {
  return leftOut.length === 0 ? [] : [fences.around('left-out', leftOut.join(' '))];
}

/** Points to `leftOutLines`. */
export function leftOutSentence(leftOut: readonly string[]): string | null {
  return leftOut.length === 0 ? null : 'The last part says what was left out.';
}

/** `more` and `nextCursor` as lines of a text reply. */
export function pageLines(end: PageEnd, more: string | undefined): string[] {
  return [...(more ? [`more: ${more}`] : []), ...(end.nextCursor ? [`nextCursor: ${end.nextCursor}`] : [])];
}

/** A client gives a model either the text or the value. */
function sizeOf(reply: object | string): number {
  if (reply instanceof WithText) return Math.max(sizeOf(reply.text), sizeOf(reply.value));
  return Buffer.byteLength(typeof reply === 'string' ? reply : JSON.stringify(reply));
}
