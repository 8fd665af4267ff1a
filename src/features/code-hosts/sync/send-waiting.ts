/**
 * Sends what was written here and has not reached the code host: comments, edits, statuses and reviews, each for the person who
 * wrote it. What the host has already, by its marker, is not sent again.
 */
import {
  type CodeHost,
  type CommentRef,
  type HostError,
  isHostError,
  type PublishedReview,
  type PullRequestRef,
  type ReviewBatch,
} from '../../../engines/code-hosts/index.ts';
import { findPosted, type HostState, type Posted } from './find-posted.ts';
import { isSameText, postedText, postedVerdict } from './posted-text.ts';
import type { StoredComment, StoredDiscussion, StoredState, StoredVerdict } from './stored-state-store.ts';

/** One thing that reached the host. */
export interface Sent {
  /** The text or status as it was sent. */
  what: string;
  /** Where the host has it, if it says so. */
  comment: CommentRef | null;
}

export interface SendResult {
  /** By our ID. If there is any, the host has to be read again. */
  sent: Map<string, Sent>;
  /** Refusals of the host with the reason, by our ID: sending again would not help. */
  refused: Map<string, string>;
}

interface Sending {
  host: CodeHost;
  ref: PullRequestRef;
  ours: StoredState;
  theirs: HostState;
  posted: Posted;
  result: SendResult;
  /** The page of the pull request here. */
  pageUrl: string;
}

/** Throws if the host can't be asked now; what was sent until then is found by its marker the next time. */
export async function sendWaiting(
  host: CodeHost,
  ref: PullRequestRef,
  ours: StoredState,
  theirs: HostState,
  pageUrl: string,
): Promise<SendResult> {
  const result: SendResult = { sent: new Map(), refused: new Map() };
  const sending = { host, ref, ours, theirs, posted: findPosted(ours, theirs), result, pageUrl };
  const discussions = new Map(ours.discussions.map((row) => [row.id, row]));
  const started = new Set<string>();
  await sendFindings(sending, discussions);
  await sendReviews(sending, discussions);
  for (const comment of ours.comments) {
    const discussion = comment.discussion_id === null ? null : discussions.get(comment.discussion_id)!;
    const isFirst = discussion !== null && !started.has(discussion.id);
    if (discussion) started.add(discussion.id);
    const isDone = result.sent.has(comment.id) || result.refused.has(comment.id);
    if (comment.sending === 'waiting' && !isDone)
      await attempt(sending, comment.id, () => sendComment(sending, comment, discussion, isFirst));
  }
  for (const discussion of ours.discussions)
    if (discussion.sending === 'waiting')
      await attempt(sending, discussion.id, () => sendStatus(sending, discussion));
  for (const verdict of ours.verdicts)
    if (verdict.sending === 'waiting' && !result.sent.has(verdict.id) && !result.refused.has(verdict.id))
      await attempt(sending, verdict.id, () => sendVerdict(sending, verdict));
  return result;
}

async function attempt({ result }: Sending, id: string, send: () => Promise<Sent | null>): Promise<void> {
  try {
    const sent = await send();
    if (sent) result.sent.set(id, sent);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    result.refused.set(id, (error as HostError).message);
  }
}

/** New findings of reviewers: those of one run appear as one review. */
async function sendFindings(sending: Sending, discussions: Map<string, StoredDiscussion>): Promise<void> {
  const { host, ours, ref, result } = sending;
  const unsent = newThreads(sending, discussions, ({ author_kind: kind }) => kind === 'reviewer');
  // Findings of one run share one timestamp.
  for (const found of Map.groupBy(unsent, ({ discussion }) => discussion.created_at.getTime()).values()) {
    const onNew = found.find(({ discussion }) => discussion.side === 'new');
    const commit = onNew?.discussion.commit ?? ours.headCommit;
    if (commit === null) continue;
    const comments = found.map(({ comment, discussion }) => placeOf(sending, comment, discussion));
    try {
      const review = await host.publish(ref, { commit, body: '', verdict: 'comment', comments });
      for (const [index, { comment }] of found.entries()) {
        const id = review.comments[index]?.commentId ?? null;
        result.sent.set(comment.id, {
          what: comment.body,
          comment: id === null ? null : { kind: 'thread', id },
        });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      for (const { comment } of found) result.refused.set(comment.id, (error as HostError).message);
    }
  }
}

/** Comments that open a discussion which the host doesn't have. */
function newThreads(
  sending: Sending,
  discussions: Map<string, StoredDiscussion>,
  isWanted: (comment: StoredComment) => boolean,
) {
  const { ours, posted } = sending;
  return ours.comments.flatMap((comment) => {
    const discussion = discussions.get(comment.discussion_id ?? '');
    const isNew =
      discussion &&
      isWanted(comment) &&
      comment.sending === 'waiting' &&
      comment.host_comment_id === null &&
      threadOf(sending, discussion) === null &&
      !posted.comments.has(comment.id) &&
      !posted.inReviews.has(comment.id);
    return isNew ? [{ comment, discussion }] : [];
  });
}

/**
 * Reviews that people submitted with comments: one review there too. Replies can't be part of it on any host, nor comments on
 * another commit than the verdict's; they are sent after it.
 */
async function sendReviews(sending: Sending, discussions: Map<string, StoredDiscussion>): Promise<void> {
  const { ours, posted, result } = sending;
  for (const verdict of ours.verdicts) {
    const isUnsent = verdict.sending === 'waiting' && verdict.dismissed_at === null;
    if (!isUnsent || verdict.host_review_id !== null || posted.verdicts.has(verdict.id)) continue;
    const commit = verdict.commit ?? ours.headCommit;
    const found = newThreads(sending, discussions, ({ verdict_id: id }) => id === verdict.id).filter(
      ({ discussion }) => discussion.side === 'old' || discussion.commit === commit,
    );
    if (found.length === 0 || commit === null) continue;
    const comments = found.map(({ comment, discussion }) => placeOf(sending, comment, discussion));
    try {
      const review = await publishVerdict(sending, verdict, { commit, comments });
      result.sent.set(verdict.id, { what: verdict.verdict, comment: null });
      for (const [index, { comment }] of found.entries()) {
        const id = review.comments[index]?.commentId ?? null;
        result.sent.set(comment.id, {
          what: comment.body,
          comment: id === null ? null : { kind: 'thread', id },
        });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { message } = error as HostError;
      for (const id of [verdict.id, ...found.map(({ comment }) => comment.id)])
        result.refused.set(id, message);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return isHostError(error, 'forbidden', 'not_found', 'invalid', 'unsupported');
}

/** A comment that opens a discussion, with the lines that it is about. */
function placeOf(
  sending: Sending,
  comment: StoredComment,
  { end_line: endLine, file, side, start_line: startLine }: StoredDiscussion,
) {
  return { key: comment.id, file, side, startLine, endLine, body: textOf(sending, comment) };
}

function textOf({ pageUrl }: Sending, { author_kind, author_name, body, id }: StoredComment): string {
  return postedText({ id, name: author_name, byAgent: author_kind === 'agent', body, pageUrl });
}

async function sendComment(
  sending: Sending,
  comment: StoredComment,
  discussion: StoredDiscussion | null,
  isFirst: boolean,
): Promise<Sent | null> {
  const { host, ours, posted, ref } = sending;
  const text = textOf(sending, comment);
  const lines = discussion ? { startLine: discussion.start_line, endLine: discussion.end_line } : undefined;
  const found = posted.comments.get(comment.id);
  if (found) {
    if (isSameText(found.body, comment.body)) return null;
    await host.edit(ref, found.comment, text, lines);
    return { what: comment.body, comment: found.comment };
  }
  const bound = refOf(comment.host_comment_id);
  if (bound) {
    // Somebody may have removed the marker there.
    if (!hasComment(sending.theirs, bound)) return null;
    await host.edit(ref, bound, text, lines);
    return { what: comment.body, comment: bound };
  }
  if (posted.inReviews.has(comment.id)) return null;
  const threadId = discussion && threadOf(sending, discussion);
  if (!discussion || (!isFirst && threadId === null)) {
    return { what: comment.body, comment: await host.comment(ref, text) };
  }
  if (threadId !== null) {
    return { what: comment.body, comment: await host.reply(ref, threadId, text, lines) };
  }
  const commit = (discussion.side === 'new' ? discussion.commit : null) ?? ours.headCommit;
  if (commit === null) return null;
  const place = placeOf(sending, comment, discussion);
  const { comments } = await host.publish(ref, { commit, body: '', verdict: 'comment', comments: [place] });
  const id = comments[0]?.commentId ?? null;
  return { what: comment.body, comment: id === null ? null : { kind: 'thread', id } };
}

/** The thread of a discussion, also if it was posted but that was never recorded. */
function threadOf({ ours, posted }: Sending, discussion: StoredDiscussion): string | null {
  if (discussion.host_thread_id !== null) return discussion.host_thread_id;
  for (const { discussion_id, id } of ours.comments) {
    const thread = discussion_id === discussion.id ? posted.comments.get(id)?.thread : null;
    if (thread) return thread.id;
  }
  return null;
}

async function sendStatus(sending: Sending, discussion: StoredDiscussion): Promise<Sent | null> {
  const { host, ref, theirs } = sending;
  const threadId = threadOf(sending, discussion);
  const thread = theirs.discussion.threads.find(({ id }) => id === threadId);
  const resolved = discussion.status === 'resolved';
  if (!thread || thread.resolved === resolved) return null;
  await host.setResolved(ref, thread.id, resolved);
  return { what: discussion.status, comment: null };
}

const VERDICTS = { approved: 'approve', changes_requested: 'request_changes', commented: 'comment' } as const;

async function sendVerdict(sending: Sending, verdict: StoredVerdict): Promise<Sent | null> {
  const { ours, posted } = sending;
  if (verdict.dismissed_at !== null) return dismissThere(sending, verdict);
  if (verdict.host_review_id !== null || posted.verdicts.has(verdict.id)) return null;
  const commit = verdict.commit ?? ours.headCommit;
  if (commit === null) return null;
  await publishVerdict(sending, verdict, { commit, comments: [] });
  return { what: verdict.verdict, comment: null };
}

/** A host that refuses the verdict itself, for example on a pull request of our own account, still shows it as a comment. */
async function publishVerdict(
  { host, ref }: Sending,
  verdict: StoredVerdict,
  { comments, commit }: Pick<ReviewBatch, 'commit' | 'comments'>,
): Promise<PublishedReview> {
  const body = postedVerdict({
    ...verdict,
    name: verdict.author_name,
    isService: verdict.user_id === null,
  });
  const batch = { commit, body, comments };
  try {
    return await host.publish(ref, { ...batch, verdict: VERDICTS[verdict.verdict] });
  } catch (error) {
    if (verdict.verdict === 'commented' || !isHostError(error, 'invalid', 'forbidden')) throw error;
    return await host.publish(ref, { ...batch, verdict: 'comment' });
  }
}

/** Dismisses our approval there. Nothing to do if it was never sent, or is already dismissed. */
async function dismissThere(
  { host, posted, ref, theirs }: Sending,
  { host_review_id, id }: StoredVerdict,
): Promise<Sent | null> {
  const reviewId = host_review_id ?? posted.verdicts.get(id) ?? null;
  const there = theirs.pullRequest.verdicts.find((each) => each.id === reviewId);
  if (!there || there.verdict === 'dismissed') return null;
  await host.dismissReview(ref, there.id, 'The approval no longer applies.');
  return { what: 'dismissed', comment: null };
}

/** The host's comment that a row is bound to. */
function refOf(key: string | null): CommentRef | null {
  const [, kind, id] = /^(thread|conversation|review):(.+)$/s.exec(key ?? '') ?? [];
  return kind === undefined ? null : { kind: kind as CommentRef['kind'], id: id! };
}

function hasComment({ discussion }: HostState, { id, kind }: CommentRef): boolean {
  const comments =
    kind === 'thread' ? discussion.threads.flatMap((thread) => thread.comments) : discussion.conversation;
  return comments.some((comment) => comment.id === id);
}
