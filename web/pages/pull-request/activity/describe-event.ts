/** The events of a pull request as sentences. Pure. */
import { type PullRequestEvent, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';

export interface Sentence {
  /** Follows the name of the person who did it. */
  text: string;
  /** The discussion it links to. */
  discussion?: string;
}

interface Data {
  discussionId?: string;
  file?: string;
  files?: string[];
  /** Set when a reviewer of the service opened the discussion. */
  finding?: object;
  headCommit?: string;
  /** A comment was deleted. */
  deleted?: boolean;
  forced?: boolean;
  /** How many suggestions the commit applies. */
  suggestions?: number;
  /** The base branch that was merged into the head branch here. */
  updatedWith?: string;
  from?: string | null;
  to?: string | null;
  userId?: string;
  userIds?: string[];
  names?: string[];
  verdict?: string;
  /** The comments that were submitted with a review. */
  commentIds?: string[];
  cause?: string;
  statuses?: { name: string; state: string }[];
  total?: number;
  removed?: number;
  addedLabels?: string[];
  removedLabels?: string[];
  /** Who was unassigned. */
  removedIds?: string[];
  branch?: string;
  isOn?: boolean;
  reason?: string;
  problem?: string;
}

const VERDICTS: Record<string, string> = {
  approved: 'approved the pull request',
  changes_requested: 'requested changes',
  commented: 'posted a review',
};

export function describeEvent(
  { data: given, kind }: Pick<PullRequestEvent, 'data' | 'kind'>,
  nameOf: (userId: string) => string,
): Sentence {
  const data = given as Data;
  const discussion = data.discussionId;
  switch (kind) {
    case 'pull_request_opened':
      return { text: 'opened the pull request' };
    case 'pull_request_edited':
      return { text: 'edited the pull request' };
    case 'pull_request_labels_changed':
      return { text: describeLabels(data) };
    case 'pull_request_assignees_changed':
      return { text: describeAssignees(data, nameOf) };
    case 'pull_request_pushed': {
      const commit = data.headCommit ? ` ${shortCommit(data.headCommit)}` : ' commits';
      if (data.suggestions)
        return {
          text: `applied ${data.suggestions === 1 ? 'a suggestion' : `${data.suggestions} suggestions`} in${commit}`,
        };
      if (data.updatedWith) return { text: `updated the branch with ${data.updatedWith} in${commit}` };
      return { text: `${data.forced ? 'force-pushed' : 'pushed'}${commit}` };
    }
    case 'pull_request_state_changed':
      return { text: describeState(data.from, data.to) };
    case 'pull_request_review_requested': {
      const names = [...(data.userIds ?? []).map(nameOf), ...(data.names ?? [])];
      return { text: `requested a review${names.length > 0 ? ` from ${listOf(names)}` : ''}` };
    }
    case 'pull_request_reviewed':
      return {
        text: `${VERDICTS[data.verdict ?? ''] ?? 'reviewed the pull request'}${withComments(data.commentIds?.length ?? 0)}`,
      };
    case 'pull_request_review_dismissed': {
      const what = data.verdict === 'approved' ? 'approval' : 'request for changes';
      return { text: `dismissed ${data.userId ? `${nameOf(data.userId)}’s ` : 'a '}${what}` };
    }
    case 'pull_request_approval_kept':
      return { text: 'kept an approval: the push left the changes as they were' };
    case 'pull_request_conflicted':
      return { text: `found conflicts with the base branch${data.files ? ` in ${listOf(data.files)}` : ''}` };
    case 'pull_request_conflicts_resolved':
      return { text: 'found that the conflicts are resolved' };
    case 'pull_request_secret_left':
      return { text: 'told admins of a leaked secret that was not handled within an hour', discussion };
    case 'pull_request_statuses_changed':
      return { text: describeStatuses(data.statuses ?? [], data.total, data.removed) };
    case 'pull_request_merge_when_ready':
      return {
        text: data.isOn ? 'turned on merge when ready' : `turned off merge when ready${whyStopped(data)}`,
      };
    case 'pull_request_merge_started':
      return { text: 'started to merge the pull request' };
    case 'pull_request_merge_failed':
      return { text: 'could not merge the pull request' };
    case 'pull_request_branch_deleted':
      return { text: `deleted the branch${data.branch ? ` ${data.branch}` : ''}` };
    case 'pull_request_branch_restored':
      return { text: `restored the branch${data.branch ? ` ${data.branch}` : ''}` };
    case 'pull_request_commented':
      return { text: 'commented' };
    case 'discussion_opened':
      return {
        text: `${data.finding ? 'raised a finding' : 'started a discussion'}${data.file ? ` in ${data.file}` : ''}`,
        discussion,
      };
    case 'discussion_replied':
      return { text: 'replied in a discussion', discussion };
    case 'discussion_edited':
      return data.deleted ? { text: 'deleted a comment' } : { text: 'edited a comment', discussion };
    case 'discussion_status_changed':
      return { text: describeStatus(data.to), discussion };
    default:
      return { text: kind.replaceAll('_', ' ') };
  }
}

const STOPPED: Record<string, string> = {
  pushed: ': new commits were pushed',
  base_changed: ': the base branch was changed',
  conflicts: ': the branch has conflicts',
  closed: ': the pull request was closed',
  not_allowed: ': the person can’t merge this any more',
  refused: ': the server refused the push',
};

function whyStopped({ problem, reason = '' }: Data): string {
  return reason === 'not_made' && problem ? `: ${problem}` : (STOPPED[reason] ?? '');
}

function withComments(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ' with 1 comment' : ` with ${count} comments`;
}

function describeState(from: string | null | undefined, to: string | null | undefined): string {
  if (to === 'merged') return 'merged the pull request';
  if (to === 'closed') return 'closed the pull request';
  if (to === 'draft') return 'converted the pull request to a draft';
  return from === 'draft' ? 'marked the pull request as ready for review' : 'reopened the pull request';
}

function describeLabels({ addedLabels = [], removedLabels = [] }: Data): string {
  const labels = (names: string[]) => `the ${names.length === 1 ? 'label' : 'labels'} ${listOf(names)}`;
  return [
    ...(addedLabels.length > 0 ? [`added ${labels(addedLabels)}`] : []),
    ...(removedLabels.length > 0 ? [`removed ${labels(removedLabels)}`] : []),
  ].join(' and ');
}

function describeAssignees(
  { removedIds = [], userIds = [] }: Data,
  nameOf: (userId: string) => string,
): string {
  return [
    ...(userIds.length > 0 ? [`assigned ${listOf(userIds.map(nameOf))}`] : []),
    ...(removedIds.length > 0 ? [`unassigned ${listOf(removedIds.map(nameOf))}`] : []),
  ].join(' and ');
}

function describeStatus(to: string | null | undefined): string {
  if (to === 'resolved') return 'resolved a discussion';
  return to === 'addressed' ? 'marked a discussion as addressed' : 'reopened a discussion';
}

function describeStatuses(
  statuses: { name: string; state: string }[],
  total = statuses.length,
  removed = 0,
): string {
  if (statuses.length === 0) return `removed ${removed} ${removed === 1 ? 'status' : 'statuses'}`;
  const [first] = statuses;
  if (total === 1 && first) return `set the status ${first.name} to ${first.state}`;
  return `set ${total} statuses: ${listOf(statuses.map(({ name, state }) => `${name} ${state}`))}`;
}

function listOf(names: string[]): string {
  return new Intl.ListFormat('en').format(names);
}
