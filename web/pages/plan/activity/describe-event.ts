/** The events of a plan as sentences. Pure. */
import type { PlanEvent } from '../plan-data.ts';

export interface Sentence {
  /** Follows the name of the person who did it. */
  text: string;
  note?: string;
  /** The thread or the version it links to. */
  thread?: string;
  version?: number;
}

const STATUS_REASONS: Record<string, string> = {
  new_version: 'because of the new version',
  approved: 'by approval',
  approval_withdrawn: 'because the approval was withdrawn',
  changes_requested: 'because changes were requested',
  pull_request_linked: 'because a pull request was linked',
  pull_request_merged: 'because its pull requests were merged',
};

interface Data {
  version?: number;
  unchanged?: boolean;
  from?: string | null;
  to?: string | null;
  reason?: string;
  note?: string | null;
  commentId?: string;
  commentIds?: string[];
  threadId?: string;
  parentId?: string | null;
  userIds?: string[];
  prNumber?: number;
  repoName?: string | null;
}

export function describeEvent(
  { data: given, kind }: PlanEvent,
  nameOf: (userId: string) => string,
): Sentence {
  const data = given as Data;
  const note = data.note || undefined;
  const { version } = data;
  switch (kind) {
    case 'plan_created':
      return { text: 'posted the plan', version };
    case 'version_added':
      return { text: `posted version ${version}${data.unchanged ? ' without changes' : ''}`, version };
    case 'approved':
      return { text: `approved version ${version}`, note, version };
    case 'approval_withdrawn':
      return { text: `withdrew the approval of version ${version}`, note, version };
    case 'changes_requested':
      return { text: `requested changes to version ${version}`, note, version };
    case 'status_changed': {
      const reason = STATUS_REASONS[data.reason ?? ''];
      return {
        text: `changed the status from ${data.from} to ${data.to}${reason ? ` ${reason}` : ''}`,
        note: reason ? undefined : note,
      };
    }
    case 'review_requested':
      return { text: `requested a review from ${listOf((data.userIds ?? []).map(nameOf))}` };
    case 'comment_added':
      return { text: data.parentId ? 'replied in a thread' : 'commented', thread: data.commentId };
    case 'comment_edited':
      return { text: 'edited a comment', thread: data.commentId };
    case 'comment_triaged':
      return { text: describeTriage(data.to), thread: data.commentId };
    case 'comments_addressed': {
      const count = data.commentIds?.length ?? 0;
      const what = count === 1 ? '1 comment' : `${count} comments`;
      return { text: `marked ${what} as addressed in version ${version}`, version };
    }
    case 'pull_request_linked':
      return { text: `linked pull request ${data.repoName ?? ''}#${data.prNumber}` };
    default:
      return { text: kind.replaceAll('_', ' ') };
  }
}

function describeTriage(to: string | null | undefined): string {
  if (to === 'open') return 'accepted a comment';
  return to === 'dismissed' ? 'dismissed a comment' : 'cleared the decision on a comment';
}

function listOf(names: string[]): string {
  return new Intl.ListFormat('en').format(names);
}
