/** Waits until reviewers act on a branch's newest pull request. */
import type { Operations } from '../../../operation-types.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import {
  type BranchReview,
  type Discussion,
  NO_PULL_REQUEST,
  nextIfEnded,
  type PullRequest,
  pullRequestUrl,
} from '../discussions/branch-review.ts';
import { plainName } from '../text/fence.ts';
import { visible } from '../text/visible-text.ts';
import type { ToolContext } from '../tool.ts';
import { type EventPiece, type Waited, waitForOthers } from './wait-for-others.ts';

/** Actions of reviewers and of the code host. Pushes, edits of the title and review requests don't end the wait. */
const WAKES = new Set([
  'pull_request_reviewed',
  'pull_request_conflicted',
  'pull_request_commented',
  'pull_request_state_changed',
  'discussion_opened',
  'discussion_replied',
  'discussion_edited',
  'discussion_status_changed',
]);

type PullRequestChanges = Operations['wait-for-pull-request-changes']['output'];
type PullRequestEvent = PullRequestChanges['events'][number];

interface Given {
  repository: string;
  branch: string;
  timeoutSeconds: number;
  since?: number | undefined;
}

export async function waitForPullRequest(given: Given, context: ToolContext): Promise<Waited> {
  const { branch, repository, timeoutSeconds } = given;
  const { pullRequest } = await context.run('read-branch-review', { repository, branch });
  if (!pullRequest) throw new Problem('not_found', NO_PULL_REQUEST);
  const { id: pullRequestId, number, lastEvent: cursor, state } = pullRequest;
  const url = pullRequestUrl(context.baseUrl, pullRequest);
  const ended = nextIfEnded(state);
  if (given.since === undefined && ended) {
    const about = { pullRequestNumber: number, url, status: state };
    return { outcome: 'decided', about, cursor, pieces: [], next: () => ended };
  }
  const changes = await waitForOthers(
    (since, waitSeconds) =>
      context.run('wait-for-pull-request-changes', { pullRequestId, since, waitSeconds }),
    { since: given.since ?? cursor, timeoutSeconds, wakes: WAKES, gone: context.gone },
  );
  const isChanged = changes.events.length > 0;
  const review = isChanged
    ? await context.run('read-branch-review', { repository, branch, status: 'all' })
    : undefined;
  return {
    outcome: isChanged ? 'changed' : 'timeout',
    about: { pullRequestNumber: number, url, status: changes.state },
    cursor: changes.cursor,
    pieces: review ? piecesOf(changes.events, review) : [],
    next: (last) => nextAfter(changes, review?.pullRequest ?? null, last),
  };
}

function nextAfter(
  { events, openDiscussions, state }: PullRequestChanges,
  pullRequest: PullRequest | null,
  since: number,
): string {
  const open =
    openDiscussions === 0
      ? 'No discussion is open.'
      : `${openDiscussions === 1 ? 'One discussion is' : `${openDiscussions} discussions are`} open: \`get_branch_discussions\` shows ${openDiscussions === 1 ? 'it' : 'them'}.`;
  const ended = nextIfEnded(state);
  if (ended) return ended;
  if (events.length === 0) {
    return `Nothing happened yet. ${open} Call again with since ${since} to keep waiting, or tell the user that the pull request is waiting for review.`;
  }
  if (pullRequest?.mergeability === 'conflicts') {
    return `${open} The branch conflicts with its base branch: merge or rebase it, resolve the conflicts and push.`;
  }
  if (openDiscussions > 0) {
    return `${open} Fix the code, push, and reply to each with \`reply_to_discussion\` and \`fixedIn\`.`;
  }
  if (pullRequest?.verdict === 'approved')
    return `${open} Reviewers approved: tell the user. You cannot merge here.`;
  return pullRequest?.verdict === null && wasApproved(pullRequest)
    ? `${open} Reviewers approved an earlier commit, or for another base branch: tell the user that it is waiting for review.`
    : `${open} Act on the notes and comments in \`events\` if they ask for something, then call again with since ${since}.`;
}

const wasApproved = ({ verdicts }: PullRequest) =>
  verdicts.some(({ dismissedAt, verdict }) => verdict === 'approved' && dismissedAt === null);

type Text = { author?: string; field: 'note' | 'body'; text: string };

const dismissalOf = (verdictId: string) => `dismissal of ${verdictId}`;

/** Each event with its comment, the note of its verdict, or why that was dismissed. */
function piecesOf(events: PullRequestEvent[], { discussions, pullRequest }: BranchReview): EventPiece[] {
  const texts = textsIn(discussions, pullRequest);
  return events.map((event): EventPiece => {
    const { actor, createdAt: at, data, kind, number } = event;
    const textOf = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
    const textId = textOf('commentId') ?? textOf('verdictId') ?? '';
    const found = texts.get(kind === 'pull_request_review_dismissed' ? dismissalOf(textId) : textId);
    const { author, field, text: own }: Text = found ?? { field: 'note', text: textOf('reason') ?? '' };
    const text = [own, ...commentsOfReview(data, discussions)].filter(Boolean).join('\n\n');
    const by = author ?? actor.name;
    return {
      key: String(number),
      number,
      text: visible(text),
      present: (part) => ({
        kind,
        by: by === null ? undefined : plainName(by),
        at,
        status: kind.endsWith('_changed') ? textOf('to') : undefined,
        verdict: textOf('verdict'),
        discussionId: textOf('discussionId'),
        commentId: textOf('commentId'),
        [field]: part.text === '' ? undefined : part.text,
        isCut: part.text.length < part.piece.text.length || undefined,
      }),
    };
  });
}

/** The comments that were submitted with a review, each with its place. */
function commentsOfReview(data: PullRequestEvent['data'], discussions: Discussion[]): string[] {
  const ids = new Set(Array.isArray(data.commentIds) ? data.commentIds : []);
  if (ids.size === 0) return [];
  return discussions.flatMap(({ comments, file, id, startLine }) =>
    comments
      .filter((comment) => ids.has(comment.id))
      .map(({ body }) => `${file}${startLine > 0 ? `:${startLine}` : ''} (discussionId ${id})\n${body}`),
  );
}

/** Comments and notes by ID, and reasons of dismissals. */
function textsIn(discussions: Discussion[], pullRequest: PullRequest | null): Map<string, Text> {
  const comments = [...discussions.flatMap(({ comments }) => comments), ...(pullRequest?.conversation ?? [])];
  return new Map([
    ...comments.map(({ author, body, id }): [string, Text] => [
      id,
      { author: author.name, field: 'body', text: body },
    ]),
    ...(pullRequest?.verdicts ?? []).flatMap(({ author, dismissalReason, id, note }): [string, Text][] => [
      [id, { author: author.name, field: 'note', text: note ?? '' }],
      [dismissalOf(id), { field: 'note', text: dismissalReason ?? '' }],
    ]),
  ]);
}
