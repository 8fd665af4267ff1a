/** get_plan_comments: the threads of a plan, grouped by what an agent should do with them. */
import { z } from 'zod';
import { groupThreads, inGroups, type Thread, writerOf } from '../plans/comment-groups.ts';
import { planReference, planUrl } from '../plans/plan-reference.ts';
import { readThreads, type ThreadComment } from '../plans/read-threads.ts';
import { anchorOf, excerpt } from '../plans/thread-text.ts';
import type { Part, Piece } from '../text/budget.ts';
import { plainName } from '../text/fence.ts';
import { ours } from '../text/marking.ts';
import {
  moreSentence,
  openPage,
  PAGE_ARGUMENTS,
  PAGE_OUTPUT,
  type PageEnd,
  pagedReply,
} from '../text/paged-reply.ts';
import { visible } from '../text/visible-text.ts';
import { defineTool, READS, type Reply } from '../tool.ts';

/** One call reads at most this many comments, oldest first. */
const MAX_COMMENTS = 5_000;

interface CommentPiece extends Piece {
  thread: Thread;
  comment: ThreadComment;
}

/** The id makes it a separate schema that others reference. */
const CommentShape = z
  .object({
    commentId: ours('id'),
    author: z.string(),
    writtenBy: ours('word').describe('`person`, or `agent` (an API key or a signed-in agent).'),
    createdAt: ours('time'),
    body: z.string(),
    bodyIsCut: z.boolean().optional().describe('Whether the rest of the text is on another page.'),
  })
  .meta({ id: 'Comment' });

const ThreadShape = z
  .object({
    threadId: ours('id').describe('Send it as `commentId` to `respond_to_plan_comment`.'),
    triageState: ours('word').optional().describe('`open` (accepted) or `dismissed`; absent if not decided.'),
    version: z.int().describe('The version of the plan that it was written on.'),
    muted: z.boolean().optional().describe('Whether your user muted its notifications.'),
    lastReplyBy: ours('word').optional().describe('`person` or `agent`; absent without a reply.'),
    quote: z.string().optional().describe('The text of the plan that it points to, or its beginning.'),
    placement: ours('word')
      .optional()
      .describe(
        'What happened to that text in the newest version: `exact` (unchanged), `moved`, `edited` or `orphaned` (removed).',
      ),
    nowReads: z.string().optional().describe('What the text was changed to, or its beginning.'),
    heading: z.string().optional().describe('The heading that the removed text was under.'),
    addressedInVersion: z.int().optional().describe('The later version that changed that text.'),
    comment: CommentShape.optional().describe('The first comment; absent if it is on the previous page.'),
    replies: z.array(CommentShape).describe('Oldest first.'),
  })
  .meta({ id: 'Thread' });

const CommentsReply = z.object({
  planId: ours('id'),
  url: ours('page'),
  status: ours('word'),
  version: z.int().describe('The newest version.'),
  since: z
    .int()
    .describe('Send it as `since` to `wait_for_review` to get everything that happens from here on.'),
  counts: z
    .object({ recommended: z.int(), awaitingTriage: z.int(), alreadyReplied: z.int(), skipped: z.int() })
    .describe('Threads on all pages.'),
  changedMeanwhile: z
    .boolean()
    .optional()
    .describe('Whether the plan changed since the previous page: threads may have moved between pages.'),
  next: ours('sentence'),
  ...PAGE_OUTPUT,
  recommended: z.array(ThreadShape).describe('Accepted by a person, without a reply.'),
  awaitingTriage: z.array(ThreadShape).describe('Neither accepted nor dismissed, without a reply.'),
  alreadyReplied: z.array(ThreadShape).describe('With a reply.'),
  skipped: z
    .array(z.object({ threadId: ours('id'), summary: z.string() }))
    .describe('Dismissed by a person: author and beginning of each.'),
});

export const getPlanComments = defineTool({
  name: 'get_plan_comments',
  title: 'Get the comments on a plan',
  description: {
    does: 'Read the comments on a plan by thread, grouped by what to do with them.',
    use: 'when `wait_for_review` reports comments, and before you write the next version. Groups: `recommended` (accepted by a person, no reply yet: work on these), `awaitingTriage` (not decided yet: work on these if the user agrees), `alreadyReplied` (look again where `lastReplyBy` is `person`), `skipped` (dismissed: ignore).',
    returns:
      'each thread with its first `comment` and `replies`, the text it points to (`quote`), what happened to that text in the newest version (`placement`; `orphaned`: removed), and the version that changed it (`addressedInVersion`).',
    next: 'change the plan where a comment is right, reply to each with `respond_to_plan_comment` (`threadId` as `commentId`), post the new version with `update_plan`, then `wait_for_review` with `since`.',
  },
  operations: ['list-plan-threads'],
  hints: READS,
  input: () => z.object({ planId: planReference(), ...PAGE_ARGUMENTS }),
  output: CommentsReply,
  async run(given, context) {
    const opened = openPage('get_plan_comments', given);
    const { comments, isComplete, ...plan } = await readThreads(
      context.run,
      { seriesId: given.planId },
      MAX_COMMENTS,
    );
    const threads = groupThreads(comments, plan.mutedThreadIds);
    const about: About = {
      planId: given.planId,
      url: planUrl(context.baseUrl, given.planId),
      status: plan.status,
      version: plan.version,
      since: plan.lastEvent,
      counts: inGroups((name) => threads.filter(({ group }) => group === name).length),
      ...(opened.pin !== undefined && opened.pin !== String(plan.lastEvent) && { changedMeanwhile: true }),
    };
    return pagedReply(opened, {
      output: CommentsReply,
      pieces: threads.flatMap(piecesOf),
      pin: String(plan.lastEvent),
      render: (parts, end) => renderThreads(about, parts, end, isComplete),
    });
  },
});

type About = Pick<
  Reply<typeof CommentsReply>,
  'planId' | 'url' | 'status' | 'version' | 'since' | 'changedMeanwhile' | 'counts'
>;

/** Every comment, but only one line for a dismissed thread. */
function piecesOf(thread: Thread): CommentPiece[] {
  if (thread.group === 'skipped') {
    const { author, body, id } = thread.first;
    const summary = `${plainName(author.name)}: ${excerpt(body.trim().replaceAll(/\s+/g, ' '))}`;
    return [{ key: id, text: summary, atomic: true, thread, comment: thread.first }];
  }
  return thread.comments.map((comment) => ({
    key: comment.id,
    text: visible(comment.body),
    thread,
    comment,
  }));
}

function renderThreads(
  about: About,
  parts: readonly Part<CommentPiece>[],
  end: PageEnd,
  isComplete: boolean,
): Reply<typeof CommentsReply> {
  const shown = [...Map.groupBy(parts, ({ piece }) => piece.thread)];
  const { skipped, ...groups } = inGroups((group) => shown.filter(([thread]) => thread.group === group));
  const present = (threads: typeof shown) =>
    threads.map(([thread, members]) => presentThread(thread, members));
  return {
    ...about,
    next: nextFor(about),
    more: moreSentence(
      end,
      isComplete
        ? null
        : `This reply covers the oldest ${MAX_COMMENTS} comments; the rest are on the plan's page.`,
    ),
    nextCursor: end.nextCursor,
    recommended: present(groups.recommended),
    awaitingTriage: present(groups.awaitingTriage),
    alreadyReplied: present(groups.alreadyReplied),
    skipped: skipped.map(([{ first }, [member]]) => ({ threadId: first.id, summary: member!.text })),
  };
}

function nextFor({ counts, status }: About): string {
  if (status === 'closed') return 'The plan is closed. Ask the user how to proceed.';
  if (counts.recommended > 0) {
    return 'Work on `recommended`: change the plan where a comment is right, reply to each with `respond_to_plan_comment`, then call `update_plan`.';
  }
  if (counts.awaitingTriage > 0) {
    return 'Ask the user whether to work on `awaitingTriage`: nobody has accepted or dismissed these comments yet.';
  }
  return 'No comment is waiting for you. Look at `alreadyReplied` where `lastReplyBy` is `person`; otherwise call `wait_for_review` with `since`.';
}

function presentThread(
  { comments, first, isMuted }: Thread,
  members: readonly Part<CommentPiece>[],
): z.input<typeof ThreadShape> {
  const isFirst = ({ piece }: Part<CommentPiece>) => piece.comment.id === first.id;
  const opening = members.find(isFirst);
  return {
    threadId: first.id,
    triageState: first.triageState ?? undefined,
    version: first.version,
    muted: isMuted || undefined,
    lastReplyBy: comments.length > 1 ? writerOf(comments.at(-1)!) : undefined,
    ...anchorOf(first),
    comment: opening && presentComment(opening),
    replies: members.filter((member) => !isFirst(member)).map(presentComment),
  };
}

function presentComment({ piece, text }: Part<CommentPiece>): z.input<typeof CommentShape> {
  return {
    commentId: piece.comment.id,
    author: plainName(piece.comment.author.name),
    writtenBy: writerOf(piece.comment),
    createdAt: piece.comment.createdAt,
    body: text,
    bodyIsCut: text.length < piece.text.length || undefined,
  };
}
