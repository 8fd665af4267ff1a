/** Waits until reviewers act on a plan. */
import type { Operations } from '../../../operation-types.ts';
import { planUrl } from '../plans/plan-reference.ts';
import { isUndecided, nextForPlan, presentReviewState } from '../plans/plan-status.ts';
import { plainName } from '../text/fence.ts';
import { visible } from '../text/visible-text.ts';
import type { ToolContext } from '../tool.ts';
import { type EventPiece, type Waited, waitForOthers } from './wait-for-others.ts';

/** Actions of reviewers. Other events, such as review requests, don't end the wait. */
const WAKES = new Set([
  'approved',
  'approval_withdrawn',
  'changes_requested',
  'status_changed',
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'version_added',
]);

type PlanChanges = Operations['wait-for-plan-changes']['output'];
type PlanEvent = PlanChanges['events'][number];

export async function waitForPlan(
  { planId, since, timeoutSeconds }: { planId: string; timeoutSeconds: number; since?: number | undefined },
  context: ToolContext,
): Promise<Waited> {
  const look = (from: number | undefined, waitSeconds: number) =>
    context.run('wait-for-plan-changes', { seriesId: planId, since: from, waitSeconds });
  const now = since === undefined ? await look(undefined, 0) : undefined;
  // Without `since`, waiting for a decision that was already made would never end.
  const isDecided = now !== undefined && !isUndecided(now);
  const from = now?.cursor ?? since!;
  const changes = isDecided
    ? now
    : await waitForOthers(look, { since: from, timeoutSeconds, wakes: WAKES, gone: context.gone });
  const { cursor, events, reviewState, status, version } = changes;
  const outcome = isDecided ? 'decided' : events.length > 0 ? 'changed' : 'timeout';
  return {
    outcome,
    about: {
      ...{ planId, url: planUrl(context.baseUrl, planId), status, version },
      ...presentReviewState(changes),
    },
    cursor,
    pieces: piecesOf(changes),
    next: (last) =>
      outcome === 'timeout' && isUndecided(changes)
        ? `Nothing happened yet. Call again with since ${last} to keep waiting, or tell the user that the plan is waiting for review.`
        : nextForPlan({ status, reviewState, hasPullRequest: false }),
  };
}

/** Each event with its note or comment. */
function piecesOf({ comments, events }: PlanChanges): EventPiece[] {
  const bodies = new Map(comments.map(({ body, id }) => [id, body]));
  const noteOf = ({ data }: PlanEvent) => (typeof data.note === 'string' ? data.note : '');
  return events.map((event, index) => {
    const { commentId } = event.data;
    if (typeof commentId === 'string' && event.kind !== 'comment_triaged') {
      return pieceOf(event, 'body', bodies.get(commentId) ?? '');
    }
    const before = events[index - 1];
    // A status change repeats the note of the review that caused it.
    const isRepeated = event.kind === 'status_changed' && before && noteOf(before) === noteOf(event);
    return pieceOf(event, 'note', isRepeated ? '' : noteOf(event));
  });
}

function pieceOf(
  { actor, createdAt, data, kind, number }: PlanEvent,
  field: 'note' | 'body',
  text: string,
): EventPiece {
  const textOf = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
  return {
    key: String(number),
    number,
    text: visible(text),
    present: (part) => ({
      kind,
      by: actor.name === null ? undefined : plainName(actor.name),
      at: createdAt,
      version: typeof data.version === 'number' ? data.version : undefined,
      status: kind === 'status_changed' ? textOf('to') : undefined,
      commentId: textOf('commentId'),
      triageState: kind === 'comment_triaged' ? textOf('to') : undefined,
      [field]: part.text === '' ? undefined : part.text,
      isCut: part.text.length < part.piece.text.length || undefined,
    }),
  };
}
