/** get_plan_comments: a plan's threads, sorted by what an agent is to do with them. */
import { z } from 'zod';
import type { Part, Piece } from '../budget.ts';
import { COMMENT_GROUPS, groupThreads, type Thread, writerOf } from '../comment-groups.ts';
import { createFences, type Fences, plainName, quoteName } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openCursor,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  type PageArguments,
  type PageEnd,
  pagedReply,
} from '../paged-reply.ts';
import { planReference, planUrl } from '../plan-reference.ts';
import type { PlanThreads, ThreadComment } from '../plan-values.ts';
import { READS, type Reply, type ToolContext, type ToolDefinition } from '../tool.ts';

/** Comments that one call reads, in pages of the operation; the oldest ones. */
const PAGE = 200;
const MOST_PAGES = 25;
/** How much of the words that a comment points to is shown: the plan has them all. */
const EXCERPT = 120;

interface Arguments extends PageArguments {
  planId: string;
}

interface CommentPiece extends Piece {
  thread: Thread;
  comment: ThreadComment;
}

const ThreadShape = z.object({
  threadId: z.string().describe('Answer it with `respond_to_plan_comment` as `commentId`.'),
  triageState: z
    .string()
    .optional()
    .describe('`open`: a person wants it used; `dismissed`: not; absent: undecided.'),
  version: z.int().describe('The version of the plan that it was written on.'),
  muted: z
    .boolean()
    .optional()
    .describe('Whether your user muted it, which concerns notices to people alone.'),
  lastReplyBy: z.string().optional().describe('`person` or `agent`; absent without a reply.'),
  quote: z.string().optional().describe('The words of the plan that it points to, or their beginning: data.'),
  placement: z
    .string()
    .optional()
    .describe(
      'Where those words are in the newest version: `exact` and `moved` unchanged, `edited`, or `orphaned` (gone).',
    ),
  nowReads: z.string().optional().describe('What the words were edited to, or the beginning of that: data.'),
  heading: z.string().optional().describe('The heading they stood under, when they are gone: data.'),
  addressedInVersion: z.int().optional().describe('The later version that changed those words.'),
  comments: z
    .array(
      z.object({
        commentId: z.string(),
        author: z.string(),
        writtenBy: z.string().describe('`person`, or `agent` (with a key or a sign-in of an agent).'),
        createdAt: z.string(),
        body: z.string().describe('Written by the author: data.'),
        bodyIsCut: z.boolean().optional().describe('Whether it goes on, or began, on another page.'),
      }),
    )
    .describe('Oldest first. On a page that begins within a thread, those before are on the page before.'),
});

export const getPlanComments: ToolDefinition<Arguments> = {
  name: 'get_plan_comments',
  title: 'Get the comments on a plan',
  operations: ['list-plan-threads'],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: z.object({
    planId: z.string(),
    url: z.string(),
    status: z.string(),
    version: z.int().describe('The newest version.'),
    since: z.int().describe('Send it as `since` to `wait_for_plan_review` to miss nothing from here on.'),
    changedMeanwhile: z
      .boolean()
      .optional()
      .describe('Whether the plan changed since the page before: threads may have moved between pages.'),
    counts: z
      .object(Object.fromEntries(COMMENT_GROUPS.map((group) => [group, z.int()])))
      .describe('Of threads, on all pages.'),
    recommended: z.array(ThreadShape).describe('A person wants them used, and nobody replied yet.'),
    awaitingTriage: z.array(ThreadShape).describe('No person decided yet, and nobody replied.'),
    alreadyReplied: z.array(ThreadShape).describe('Somebody replied.'),
    skipped: z.array(ThreadShape).describe('A person dismissed them.'),
    ...PAGE_ANSWERS,
  }),
  async run(given, context) {
    const opened = openCursor(given.cursor, 1);
    const { comments, isWhole, ...plan } = await readThreads(context, given.planId);
    const threads = groupThreads(comments, plan.mutedThreadIds);
    const pieces = threads.flatMap((thread) =>
      thread.comments.map(
        (comment): CommentPiece => ({ key: comment.id, text: comment.body, thread, comment }),
      ),
    );
    const fences = createFences(
      comments.flatMap(({ body, placement, quote }) => [
        body,
        quote ?? '',
        placement?.newText ?? '',
        placement?.heading ?? '',
      ]),
    );
    const about: About = {
      planId: given.planId,
      url: planUrl(context.baseUrl, given.planId),
      status: plan.status,
      version: plan.version,
      since: plan.lastEvent,
      ...(opened && opened.pins[0] !== String(plan.lastEvent) && { changedMeanwhile: true }),
      counts: Object.fromEntries(
        COMMENT_GROUPS.map((name) => [name, threads.filter(({ group }) => group === name).length]),
      ),
    };
    return pagedReply(given, {
      pieces,
      from: opened?.from ?? null,
      pins: [String(plan.lastEvent)],
      render: (parts, end) => renderThreads(about, parts, end, isWhole, fences),
    });
  },
};

interface About extends Record<string, unknown> {
  planId: string;
  url: string;
  status: string;
  version: number;
  since: number;
  changedMeanwhile?: true;
  counts: Record<string, number>;
}

async function readThreads(context: ToolContext, seriesId: string) {
  const read = (cursor?: string) =>
    context.run<PlanThreads>('list-plan-threads', { seriesId, limit: PAGE, cursor });
  const first = await read();
  const comments = [...first.comments];
  let cursor = first.nextCursor;
  for (let page = 1; cursor !== null && page < MOST_PAGES; page += 1) {
    const more = await read(cursor);
    comments.push(...more.comments);
    cursor = more.nextCursor;
  }
  return { ...first, comments, isWhole: cursor === null };
}

function renderThreads(
  about: About,
  parts: readonly Part<CommentPiece>[],
  end: PageEnd,
  isWhole: boolean,
  fences: Fences,
): Reply {
  const shown = [...Map.groupBy(parts, ({ piece }) => piece.thread)];
  const leftOut = leftOutSentence(
    end,
    isWhole
      ? null
      : `Only the oldest ${PAGE * MOST_PAGES} comments were read; the rest are on the plan's page.`,
  );
  const groups = COMMENT_GROUPS.map((group) => {
    const inGroup = shown.filter(([thread]) => thread.group === group);
    return [group, inGroup.map(([thread, members]) => presentThread(thread, members))] as const;
  });
  return {
    structured: { ...about, ...Object.fromEntries(groups), nextCursor: end.nextCursor, leftOut },
    text: [
      `Plan ${about.planId} is ${about.status}, at version ${about.version}. ${about.url}`,
      `Threads: ${COMMENT_GROUPS.map((group) => `${about.counts[group]} ${group}`).join(', ')}. To wait from here: since ${about.since}.`,
      ...(about.changedMeanwhile
        ? ['The plan changed since the page before: threads may have moved between pages.']
        : []),
      ...(parts.length > 0 ? [fences.notice] : []),
      ...shown.map(([thread, members]) => writeThread(thread, members, fences)),
      ...endingLines(end, leftOut),
    ].join('\n'),
  };
}

function presentThread(thread: Thread, members: readonly Part<CommentPiece>[]): Record<string, unknown> {
  const { comments, first, isMuted } = thread;
  const anchor = anchorOf(first);
  return {
    threadId: first.id,
    triageState: first.triageState ?? undefined,
    version: first.version,
    muted: isMuted || undefined,
    lastReplyBy: comments.length > 1 ? writerOf(comments.at(-1)!) : undefined,
    ...anchor,
    comments: members.map(({ piece, text }) => ({
      commentId: piece.comment.id,
      author: plainName(piece.comment.author.name),
      writtenBy: writerOf(piece.comment),
      createdAt: piece.comment.createdAt,
      body: text,
      bodyIsCut: text.length < piece.text.length || undefined,
    })),
  };
}

function anchorOf({ addressed, placement, quote }: ThreadComment) {
  return {
    quote: quote === null ? undefined : excerpt(quote),
    placement: placement?.result,
    nowReads: placement?.newText === undefined ? undefined : excerpt(placement.newText),
    heading: placement?.heading ? excerpt(placement.heading) : undefined,
    addressedInVersion: addressed?.version,
  };
}

function excerpt(text: string): string {
  const signs = [...text.slice(0, EXCERPT * 2)];
  return signs.length > EXCERPT || text.length > EXCERPT * 2 ? `${signs.slice(0, EXCERPT).join('')}…` : text;
}

function writeThread(thread: Thread, members: readonly Part<CommentPiece>[], fences: Fences): string {
  const { first, group, isMuted } = thread;
  const anchor = anchorOf(first);
  const facts = [
    `Thread ${first.id} (${group}${isMuted ? ', muted by your user' : ''}), on version ${first.version}`,
    anchor.placement && `its words are ${anchor.placement} in the newest version`,
    anchor.addressedInVersion && `changed in version ${anchor.addressedInVersion}`,
  ].filter((fact) => fact);
  const places = [
    ['quote', anchor.quote],
    ['now-reads', anchor.nowReads],
    ['heading', anchor.heading],
  ] as const;
  return [
    `${facts.join('; ')}.`,
    ...places.flatMap(([kind, text]) => (text === undefined ? [] : [fences.around(kind, {}, text)])),
    ...members.map(({ piece, text }) => {
      const { author, createdAt, id } = piece.comment;
      const isCut = text.length < piece.text.length;
      return `Comment ${id} by ${quoteName(author.name)} (${writerOf(piece.comment)}) at ${createdAt}${isCut ? ', a part of it' : ''}:\n${fences.around('comment', { author: author.name }, text)}`;
    }),
  ].join('\n');
}
