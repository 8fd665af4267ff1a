/**
 * Deletes on the code host what was deleted here. A removal stays recorded until the host no longer has the comment, so a crash, a lost
 * reply or a comment that was just being posted changes nothing; until then the comment isn't taken for a new one of the host.
 */
import {
  type CodeHost,
  type Comment,
  isHostError,
  type PullRequestRef,
} from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { countRemovalAttempt, type RemovalRow } from '../../pull-requests/index.ts';
import { type HostState, keyOf } from './find-posted.ts';
import { isReviewText, readPosted } from './posted-text.ts';

/** Some hosts answer that they deleted a comment, and keep it. */
const MAX_ATTEMPTS = 5;

export interface RemovalResult {
  /** Those that were known when the host was asked. */
  known: ReadonlySet<string>;
  /** The host keeps them: they are its own comments from now on. */
  refused: ReadonlySet<string>;
  /** The host has to be read again. */
  isChanged: boolean;
}

export async function sendRemovals(
  db: Db,
  host: CodeHost,
  ref: PullRequestRef,
  removals: readonly RemovalRow[],
  theirs: HostState,
): Promise<RemovalResult> {
  const refused = new Set<string>();
  let isChanged = false;
  for (const { attempts, comment_id: id, host_comment_id: key } of removals) {
    const comment = commentsIn(theirs).find((each) =>
      isRemoved(each, { comment_id: id, host_comment_id: key }),
    );
    if (!comment) continue;
    if (attempts >= MAX_ATTEMPTS) {
      refused.add(id);
      continue;
    }
    await countRemovalAttempt(db, id);
    isChanged = true;
    try {
      await host.remove(ref, comment);
    } catch (error) {
      if (isHostError(error, 'forbidden', 'invalid', 'unsupported')) refused.add(id);
      else if (!isHostError(error, 'not_found')) throw error;
    }
  }
  return { known: new Set(removals.map(({ comment_id: id }) => id)), refused, isChanged };
}

/** The host without comments that are still to be deleted there, and which removals are over. */
export function withoutRemoved(
  theirs: HostState,
  removals: readonly RemovalRow[],
  { known, refused }: RemovalResult,
): { shown: HostState; over: string[] } {
  const { discussion } = theirs;
  const pending = removals.filter(({ comment_id: id }) => !refused.has(id));
  const isShown = (comment: Comment) => !pending.some((removal) => isRemoved(comment, removal));
  const over = removals.filter(({ comment_id: id, host_comment_id: key }) => {
    if (refused.has(id)) return true;
    const isThere = commentsIn(theirs).some((each) =>
      isRemoved(each, { comment_id: id, host_comment_id: key }),
    );
    return known.has(id) && !isThere && !discussion.truncated;
  });
  return {
    shown: {
      ...theirs,
      discussion: {
        ...discussion,
        threads: discussion.threads.flatMap((thread) => {
          const comments = thread.comments.filter(isShown);
          return comments.length > 0 ? [{ ...thread, comments }] : [];
        }),
        conversation: discussion.conversation.filter(isShown),
      },
    },
    over: over.map(({ comment_id: id }) => id),
  };
}

function commentsIn({ discussion }: HostState): Comment[] {
  return [...discussion.threads.flatMap(({ comments }) => comments), ...discussion.conversation];
}

/** A marker counts only where it isn't known which comment it was: people copy texts. */
function isRemoved(
  comment: Comment,
  { comment_id: id, host_comment_id: key }: Pick<RemovalRow, 'comment_id' | 'host_comment_id'>,
): boolean {
  if (key !== null) return keyOf(comment) === key;
  return readPosted(comment.body)?.id === id && !isReviewText(comment.body);
}
