/** get_plan_comments: a plan's threads, sorted by what an agent is to do with them. */
import { z } from 'zod';
import type { Part, Piece } from '../budget.ts';
import { COMMENT_GROUPS, groupThreads, inGroups, type Thread, writerOf } from '../comment-groups.ts';
import { type Fences, plainName } from '../fence.ts';
import {
  endingLines,
  leftOutSentence,
  openPage,
  PAGE_ANSWERS,
  PAGE_ARGUMENTS,
  type PageEnd,
  pagedReply,
} from '../paged-reply.ts';
import { planReference, planUrl } from '../plan-reference.ts';
import { readThreads, type ThreadComment } from '../read-threads.ts';
import { anchorOf, fencesFor, writeThread } from '../thread-text.ts';
import { defineTool, READS, type Reply } from '../tool.ts';

const OPERATION = 'list-plan-threads';
/** Comments that one call reads; the oldest ones. */
const MAX_COMMENTS = 5_000;

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

const CommentsReply = z.object({
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
    .object({ recommended: z.int(), awaitingTriage: z.int(), alreadyReplied: z.int(), skipped: z.int() })
    .describe('Of threads, on all pages.'),
  recommended: z.array(ThreadShape).describe('A person wants them used, and nobody replied yet.'),
  awaitingTriage: z.array(ThreadShape).describe('No person decided yet, and nobody replied.'),
  alreadyReplied: z.array(ThreadShape).describe('Somebody replied.'),
  skipped: z.array(ThreadShape).describe('A person dismissed them.'),
  ...PAGE_ANSWERS,
});

export const getPlanComments = defineTool({
  name: 'get_plan_comments',
  title: 'Get the comments on a plan',
  operations: [OPERATION],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: CommentsReply,
  async run(given, context) {
    const opened = openPage('get_plan_comments', given);
    const { comments, isWhole, ...plan } = await readThreads(
      context.run,
      { seriesId: given.planId },
      MAX_COMMENTS,
    );
    const threads = groupThreads(comments, plan.mutedThreadIds);
    const pieces = threads.flatMap((thread) =>
      thread.comments.map(
        (comment): CommentPiece => ({ key: comment.id, text: comment.body, thread, comment }),
      ),
    );
    const fences = fencesFor(comments);
    const about: About = {
      planId: given.planId,
      url: planUrl(context.baseUrl, given.planId),
      status: plan.status,
      version: plan.version,
      since: plan.lastEvent,
      ...(opened.pin !== undefined && opened.pin !== String(plan.lastEvent) && { changedMeanwhile: true }),
      counts: inGroups((name) => threads.filter(({ group }) => group === name).length),
    };
    return pagedReply(opened, {
      pieces,
      pin: String(plan.lastEvent),
      render: (parts, end) => renderThreads(about, parts, end, isWhole, fences),
    });
  },
});

type About = Pick<
  z.input<typeof CommentsReply>,
  'planId' | 'url' | 'status' | 'version' | 'since' | 'changedMeanwhile' | 'counts'
>;

function renderThreads(
  about: About,
  parts: readonly Part<CommentPiece>[],
  end: PageEnd,
  isWhole: boolean,
  fences: Fences,
): Reply<z.input<typeof CommentsReply>> {
  const shown = [...Map.groupBy(parts, ({ piece }) => piece.thread)];
  const leftOut = leftOutSentence(
    end,
    isWhole ? null : `Only the oldest ${MAX_COMMENTS} comments were read; the rest are on the plan's page.`,
  );
  const groups = inGroups((group) =>
    shown
      .filter(([thread]) => thread.group === group)
      .map(([thread, members]) => presentThread(thread, members)),
  );
  return {
    structured: { ...about, ...groups, nextCursor: end.nextCursor, leftOut },
    text: [
      `Plan ${about.planId} is ${about.status}, at version ${about.version}. ${about.url}`,
      `Threads: ${COMMENT_GROUPS.map((group) => `${about.counts[group]} ${group}`).join(', ')}. To wait from here: since ${about.since}.`,
      ...(about.changedMeanwhile
        ? ['The plan changed since the page before: threads may have moved between pages.']
        : []),
      ...(parts.length > 0 ? [fences.notice] : []),
      ...shown.map(([thread, members]) =>
        writeThread(
          thread,
          members.map(({ piece, text }) => ({ comment: piece.comment, text })),
          fences,
        ),
      ),
      ...endingLines(end, leftOut),
    ].join('\n'),
  };
}

function presentThread(thread: Thread, members: readonly Part<CommentPiece>[]): z.input<typeof ThreadShape> {
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
