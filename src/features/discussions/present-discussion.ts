/** Turns rows of discussions into their API shapes. */
import type { z } from 'zod';
import { type Actor, hasRole } from '../../platform/core/operations/actor.ts';
import {
  type AppliedSuggestion,
  type DeletedCommentRow,
  presentDeletedComment,
  presentReactions,
  type ReactionRow,
} from '../pull-requests/index.ts';
import type { BranchDiscussion, Discussion } from './contract.ts';
import type { CommentRow, DiscussionRow, selectBranchDiscussions } from './discussion-store.ts';

type BranchDiscussions = Awaited<ReturnType<typeof selectBranchDiscussions>>;

export function presentBranchDiscussion(
  row: BranchDiscussions['discussions'][number],
  comments: Pick<CommentRow, 'author_name' | 'body' | 'created_at'>[],
): z.input<typeof BranchDiscussion> {
  return {
    id: row.id,
    file: row.file,
    startLine: row.start_line,
    endLine: row.end_line,
    commentedCode: row.commented_code,
    status: row.status,
    reviewerTitle: row.author_name,
    comments: comments.map(({ author_name: author, body, created_at: at }) => ({
      author,
      body,
      createdAt: at.toISOString(),
    })),
  };
}

export function presentComment(
  row: CommentRow,
  applied: readonly AppliedSuggestion[] = [],
  reactions: readonly ReactionRow[] = [],
): z.input<typeof Discussion>['comments'][number] {
  return {
    id: row.id,
    author: { kind: row.author_kind, id: row.author_id, name: row.author_name },
    body: row.body,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    url: row.url,
    fixedIn: row.fixed_in,
    appliedSuggestions: applied
      // An edited comment makes other suggestions.
      .filter(({ applied_at: at }) => row.edited_at === null || row.edited_at < at)
      .map(({ applied_at: at, applied_by: by, commit, index }) => ({
        ...{ index, commit, by, at: at.toISOString() },
      })),
    sending: { state: row.sending, problem: row.sending_problem },
    reactions: presentReactions(row, reactions),
  };
}

export function presentDiscussion(
  row: DiscussionRow,
  comments: CommentRow[],
  reader: Reader,
): z.input<typeof Discussion> {
  return {
    id: row.id,
    file: row.file,
    side: row.side,
    startLine: row.start_line,
    endLine: row.end_line,
    commit: row.commit,
    commentedCode: row.commented_code,
    author: { kind: row.author_kind, id: row.author_id, name: row.author_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    status: row.status,
    statusCause: row.status_cause,
    statusBy: row.status_by,
    statusReason: row.status_reason,
    statusAt: row.status_at.toISOString(),
    judgement: row.judgement as z.input<typeof Discussion>['judgement'],
    position:
      row.position_commit === null
        ? null
        : {
            commit: row.position_commit,
            outcome: row.position_outcome!,
            file: row.position_file!,
            startLine: row.position_start_line!,
            endLine: row.position_end_line!,
          },
    comments: comments.map((comment) =>
      presentComment(comment, reader.applied.get(comment.id), reader.reactions.get(comment.id)),
    ),
    deletedComments: (reader.deleted.get(row.id) ?? []).map(presentDeletedComment),
    sending: { state: row.sending, problem: row.sending_problem },
    allowedActions: allowedActions(row, reader),
  };
}

interface Reader {
  actor: Pick<Actor, 'kind' | 'role'>;
  /** Discussions of secrets that the reader leaked. */
  ownSecrets: ReadonlySet<string>;
  /** By comment. */
  applied: ReadonlyMap<string, readonly AppliedSuggestion[]>;
  /** By comment. */
  reactions: ReadonlyMap<string, readonly ReactionRow[]>;
  /** By discussion. */
  deleted: ReadonlyMap<string, readonly DeletedCommentRow[]>;
}

/** Agents and keys reply; only people resolve and reopen, and others than the author look at a leaked secret. */
function allowedActions(
  { id, status }: DiscussionRow,
  { actor: { kind, role }, ownSecrets }: Reader,
): z.input<typeof Discussion>['allowedActions'] {
  if (!hasRole(role, 'member')) return [];
  if (kind !== 'session') return ['reply'];
  if (ownSecrets.has(id)) return status === 'open' ? ['reply'] : ['reply', 'reopen'];
  if (status === 'open') return ['reply', 'resolve'];
  return status === 'addressed' ? ['reply', 'resolve', 'reopen'] : ['reply', 'reopen'];
}
