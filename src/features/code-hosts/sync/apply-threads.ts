/**
 * Syncs the discussions of a pull request, and its general conversation, with its code host. What waits to be sent is left
 * alone; what we posted is recognized and recorded as sent; everything else becomes what the host has.
 */
import type { Account, Comment, Thread } from '../../../engines/code-hosts/index.ts';
import { storable } from '../../../platform/core/text/storable.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import {
  addHostThread,
  deleteDiscussion,
  judgeAgain,
  readHostChange,
  setStatus,
  updateDiscussion,
} from '../../discussions/index.ts';
import {
  type CommentAuthor,
  deleteComments,
  insertComment,
  keepCommentText,
  type PullRequestChange,
  updateComment,
} from '../../pull-requests/index.ts';
import { decideByReaction, decideOnHost } from '../../reviews/index.ts';
import { type Accounts, nameOf } from './apply-pull-request.ts';
import { type HostState, keyOf, type Posted } from './find-posted.ts';
import { isSameText, wordsOf } from './posted-text.ts';
import type { SendResult, Sent } from './send-waiting.ts';
import type { StoredComment, StoredDiscussion, StoredState } from './stored-state-store.ts';

/** The commented code of a thread, and the commit that its lines refer to. */
export interface ThreadCode {
  commit: string | null;
  code: string;
}

export interface Applying {
  change: PullRequestChange;
  ours: StoredState;
  theirs: HostState;
  posted: Posted;
  accounts: Accounts;
  /** The result of sending just now, by our ID. */
  sent: SendResult['sent'];
  refused: SendResult['refused'];
  /** By the host's thread ID, for those that need it. */
  code: Map<string, ThreadCode>;
}

export async function applyThreads(applying: Applying): Promise<void> {
  const { change, ours, posted, theirs } = applying;
  const byThread = new Map(ours.discussions.map((row) => [row.host_thread_id, row]));
  const byId = new Map(ours.discussions.map((row) => [row.id, row]));
  const commentsOf = Map.groupBy(ours.comments, (row) => row.discussion_id);
  const ownerOf = new Map(ours.comments.map((row) => [row.id, row.discussion_id]));
  const seen = new Set<string>();
  for (const thread of theirs.discussion.threads) {
    const markers = thread.comments.flatMap((comment) => posted.byKey.get(keyOf(comment)) ?? []);
    const marked = markers
      .map((id) => byId.get(ownerOf.get(id) ?? ''))
      .find((row) => row?.host_thread_id === null);
    const discussion = byThread.get(thread.id) ?? marked;
    if (!discussion) {
      await openFromHost(applying, thread);
      continue;
    }
    seen.add(discussion.id);
    if (discussion.host_thread_id === null)
      await updateDiscussion(change.db, discussion.id, { host_thread_id: thread.id });
    await applyComments(applying, thread.comments, commentsOf.get(discussion.id) ?? [], discussion.id);
    await applyReactions(applying, discussion, thread);
    await applyStatus(applying, discussion, thread);
    const found = applying.code.get(thread.id);
    if (found && discussion.commented_code === '' && found.code !== '')
      await updateDiscussion(change.db, discussion.id, { commented_code: found.code, commit: found.commit });
  }
  for (const discussion of ours.discussions)
    if (!seen.has(discussion.id))
      await applyWithoutThread(applying, discussion, commentsOf.get(discussion.id) ?? []);
  await applyComments(applying, theirs.discussion.conversation, commentsOf.get(null) ?? [], null);
}

async function openFromHost(applying: Applying, thread: Thread): Promise<void> {
  const { accounts, change, code } = applying;
  const first = thread.comments[0]!;
  const place = code.get(thread.id);
  const id = await addHostThread(change, {
    file: storable(thread.file),
    side: thread.side,
    startLine: thread.startLine,
    endLine: thread.endLine,
    commit: place ? place.commit : thread.side === 'new' ? thread.commit : null,
    commentedCode: storable(place?.code ?? ''),
    author: writtenBy(first.author, accounts),
    hostThreadId: thread.id,
    hostResolved: thread.resolved,
    at: first.createdAt,
    comments: notPosted(applying, thread.comments),
  });
  if (thread.resolved) {
    const discussion = { id, status: 'open', status_cause: 'opened', host_thread_id: thread.id } as const;
    await setStatus(change, { ...discussion }, 'resolve', {
      ...byHost(thread.resolvedBy, accounts),
      fromHost: true,
    });
  }
}

/** Without those that we posted. */
function notPosted({ accounts, posted }: Applying, comments: Comment[]) {
  return comments
    .filter((comment) => !posted.byKey.has(keyOf(comment)))
    .map((comment) => ({
      hostCommentId: keyOf(comment),
      author: writtenBy(comment.author, accounts),
      body: storable(comment.body),
      url: comment.url,
      at: comment.createdAt,
    }));
}

async function insertFromHost(
  applying: Applying,
  comments: Comment[],
  discussionId: string | null,
): Promise<string[]> {
  const { db, pullRequest } = applying.change;
  const ids: string[] = [];
  for (const comment of notPosted(applying, comments)) {
    const id = uuidv7();
    ids.push(id);
    await insertComment(db, {
      ...comment,
      id,
      organizationId: pullRequest.organization_id,
      pullRequestId: pullRequest.id,
      discussionId,
      fixedIn: null,
      sending: 'none',
    });
  }
  return ids;
}

/** New, edited and deleted comments of a discussion, or of the general conversation. */
async function applyComments(
  applying: Applying,
  theirs: Comment[],
  ours: StoredComment[],
  discussionId: string | null,
): Promise<void> {
  const { change, posted, refused, sent } = applying;
  const rows = new Map(ours.map((row) => [row.id, row]));
  const byKey = new Map(ours.map((row) => [row.host_comment_id, row]));
  // It can be in the conversation, or with Gitea in another discussion's thread on the same line.
  const { conversation, threads } = applying.theirs.discussion;
  const there = new Set([...conversation, ...threads.flatMap(({ comments }) => comments)].map(keyOf));
  const added: Comment[] = [];
  for (const comment of theirs) {
    const key = keyOf(comment);
    const row = byKey.get(key) ?? rows.get(posted.byKey.get(key) ?? '');
    if (row) await applyComment(applying, comment, row, discussionId);
    else added.push(comment);
  }
  const inserted = await insertFromHost(applying, added, discussionId);
  for (const commentId of inserted)
    change.record(discussionId === null ? 'pull_request_commented' : 'discussion_replied', {
      ...(discussionId !== null && { discussionId }),
      commentId,
    });
  for (const comment of added) {
    if (posted.byKey.has(keyOf(comment))) continue;
    const { author, body } = comment;
    const userId = (author && applying.accounts.get(author.id)?.userId) ?? null;
    await decideOnHost(change, { discussionId, body, isBot: author?.bot ?? true, userId });
  }
  const isWhole = !applying.theirs.discussion.truncated;
  const gone = ours.filter((row) => row.host_comment_id !== null && !there.has(row.host_comment_id));
  if (isWhole && gone.length > 0) {
    await deleteComments(
      change.db,
      gone.map(({ id }) => id),
    );
    if (discussionId !== null) await judgeAgain(change, discussionId);
    for (const { id } of gone)
      change.record('discussion_edited', {
        ...(discussionId !== null && { discussionId }),
        commentId: id,
        deleted: true,
      });
  }
  for (const row of ours) {
    if (row.host_comment_id !== null || row.sending !== 'waiting') continue;
    const problem = refused.get(row.id);
    if (problem !== undefined)
      await updateComment(change.db, row.id, { sending: 'failed', sending_problem: problem });
    // Without its marker: it must not be sent again.
    else if (sent.get(row.id)?.what === row.body)
      await updateComment(change.db, row.id, sentAt(sent.get(row.id)!));
    // As part of a review, or in the conversation because the discussion has no thread there.
    else if (
      posted.inReviews.has(row.id) ||
      (discussionId !== null && posted.comments.get(row.id)?.thread === null)
    )
      await updateComment(change.db, row.id, { sending: 'sent', sending_problem: null });
  }
}

async function applyComment(
  { change, refused, sent }: Applying,
  comment: Comment,
  row: StoredComment,
  discussionId: string | null,
): Promise<void> {
  const { at, db } = change;
  const isOurs = row.sending !== 'none';
  const words = storable(isOurs ? wordsOf(comment.body) : comment.body);
  const isSame = isOurs ? isSameText(words, row.body) : words === row.body;
  const bound = row.host_comment_id === null ? { host_comment_id: keyOf(comment) } : {};
  const place = comment.url === row.url ? bound : { ...bound, url: comment.url };
  if (isSame) {
    const sent = row.sending === 'waiting' ? { sending: 'sent' as const, sending_problem: null } : {};
    if (Object.keys({ ...place, ...sent }).length > 0) await updateComment(db, row.id, { ...place, ...sent });
    return;
  }
  // A host may change what it was sent, for example what it would take for a command.
  const isAltered = sent.get(row.id)?.what === row.body;
  if (row.sending === 'waiting' && !isAltered) {
    // Edited here since: it is sent next, unless the host refused it.
    const problem = refused.get(row.id);
    const failed = problem === undefined ? {} : { sending: 'failed' as const, sending_problem: problem };
    if (Object.keys({ ...place, ...failed }).length > 0)
      await updateComment(db, row.id, { ...place, ...failed });
    return;
  }
  if (isAltered) {
    await updateComment(db, row.id, { ...place, body: words, sending: 'sent', sending_problem: null });
    return;
  }
  await keepCommentText(db, row.id, at);
  await updateComment(db, row.id, { ...place, body: words, edited_at: at });
  if (discussionId !== null) await judgeAgain(change, discussionId);
  change.record('discussion_edited', { ...(discussionId !== null && { discussionId }), commentId: row.id });
}

/** 👎 on the first comment of a finding. */
async function applyReactions(
  { accounts, change, ours, posted }: Applying,
  { id, status }: StoredDiscussion,
  thread: Thread,
): Promise<void> {
  if (status !== 'open') return;
  const opening = ours.comments.find(({ discussion_id }) => discussion_id === id);
  if (opening?.author_kind !== 'reviewer') return;
  const comment = thread.comments.find((each) => posted.byKey.get(keyOf(each)) === opening.id);
  if (!comment || comment.thumbsDown.length === 0) return;
  const reactions = comment.thumbsDown.map((account) => ({
    isBot: account.bot,
    userId: accounts.get(account.id)?.userId ?? null,
  }));
  await decideByReaction(change, id, reactions);
}

async function applyStatus(
  { accounts, change, refused, sent }: Applying,
  discussion: StoredDiscussion,
  thread: Thread,
): Promise<void> {
  const { db } = change;
  const shown = { host_resolved: thread.resolved };
  if (discussion.sending === 'waiting') {
    const isIgnored = sent.get(discussion.id)?.what === discussion.status;
    const problem =
      refused.get(discussion.id) ?? (isIgnored ? 'The code host ignored the change.' : undefined);
    if (thread.resolved === (discussion.status === 'resolved'))
      await updateDiscussion(db, discussion.id, { ...shown, sending: 'sent', sending_problem: null });
    else if (problem !== undefined)
      await updateDiscussion(db, discussion.id, { ...shown, sending: 'failed', sending_problem: problem });
    return;
  }
  const trigger = readHostChange(discussion.host_resolved, thread.resolved);
  if (trigger) {
    const by = byHost(trigger === 'resolve' ? thread.resolvedBy : null, accounts);
    await setStatus(change, discussion, trigger, { ...by, fromHost: true });
  }
  if (discussion.host_resolved !== thread.resolved) await updateDiscussion(db, discussion.id, shown);
}

/** Deleted on the host, or never shown there as a thread. */
async function applyWithoutThread(
  applying: Applying,
  discussion: StoredDiscussion,
  comments: StoredComment[],
): Promise<void> {
  const { change, theirs } = applying;
  if (discussion.host_thread_id === null) {
    await applyComments(applying, [], comments, discussion.id);
    // There is nothing on the host to resolve.
    if (discussion.sending === 'waiting' && comments.every(({ sending }) => sending !== 'waiting'))
      await updateDiscussion(change.db, discussion.id, { sending: 'sent', sending_problem: null });
    return;
  }
  if (theirs.discussion.truncated) return;
  const unsent = comments.filter((row) => row.host_comment_id === null);
  if (unsent.length === 0) {
    await deleteDiscussion(change.db, discussion.id);
    change.record('discussion_edited', { discussionId: discussion.id, deleted: true });
    return;
  }
  await applyComments(applying, [], comments, discussion.id);
  for (const row of unsent)
    if (row.sending === 'waiting')
      await updateComment(change.db, row.id, {
        sending: 'failed',
        sending_problem: 'The discussion was deleted on the code host.',
      });
}

function sentAt({ comment }: Sent) {
  const place = comment && { host_comment_id: keyOf(comment) };
  return { ...place, sending: 'sent' as const, sending_problem: null };
}

function writtenBy(account: Account | null, accounts: Accounts): CommentAuthor {
  const known = account && accounts.get(account.id);
  const kind = account?.bot ? 'bot' : 'person';
  return { kind, userId: null, accountId: known?.id ?? null, name: nameOf(account) };
}

function byHost(account: Account | null, accounts: Accounts) {
  const known = account && accounts.get(account.id);
  return {
    userId: known?.userId ?? null,
    accountId: known?.id ?? null,
    name: account && nameOf(account),
    reason: null,
  };
}
