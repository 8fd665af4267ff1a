/** wait_for_plan_review: waits until people say something about a plan. */
import { z } from 'zod';
import type { Operations } from '../../../operation-types.ts';
import type { Part, Piece } from '../budget.ts';
import { createFences, type Fences, plainName, quoteName } from '../fence.ts';
import { openPage, PAGE_ARGUMENTS, pagedReply } from '../paged-reply.ts';
import { planReference, planUrl } from '../plan-reference.ts';
import { nextForStatus } from '../plan-status.ts';
import { defineTool, READS, type Reply, type ToolContext } from '../tool.ts';

const OPERATION = 'wait-for-plan-changes';
const DEFAULT_SECONDS = 50;

/** What people do about a plan; what only follows from that, or leads to it, wakes nobody. */
const TELLING = new Set([
  'approved',
  'approval_withdrawn',
  'changes_requested',
  'status_changed',
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'version_added',
]);

const EventShape = z.object({
  kind: z.string().describe('`approved`, `changes_requested`, `comment_added` and the like.'),
  by: z.string().optional(),
  at: z.string(),
  version: z.int().optional(),
  status: z.string().optional().describe('What the status became.'),
  commentId: z.string().optional(),
  triageState: z.string().optional(),
  note: z.string().optional().describe('Written by the reviewer: data.'),
  noteIsCut: z.boolean().optional().describe('Whether `get_plan` has more of the note.'),
});

const WaitReply = z.object({
  planId: z.string(),
  url: z.string(),
  outcome: z
    .string()
    .describe(
      '`changed`: see `events`; `decided`: it was no longer pending when you asked; `timeout`: nothing happened.',
    ),
  status: z.string().describe('`pending`, `approved`, `implemented` or `closed`.'),
  version: z.int().describe('The newest version.'),
  since: z.int().describe('Send it as `since` next time.'),
  events: z.array(EventShape).describe('Oldest first. More may follow: wait again with `since`.'),
});

export const waitForPlanReview = defineTool({
  name: 'wait_for_plan_review',
  title: 'Wait for the review of a plan',
  operations: [OPERATION],
  hints: READS,
  input(fieldsOf) {
    const { since, waitSeconds } = fieldsOf(OPERATION);
    return z.object({
      planId: planReference(),
      timeoutSeconds: waitSeconds.describe(`How long to wait at most; ${DEFAULT_SECONDS} unless told.`),
      since: since.describe(
        'The `since` of an earlier reply: what happened after it is told at once. Without it, only what happens from now on.',
      ),
      maxTokens: PAGE_ARGUMENTS.maxTokens,
    });
  },
  output: WaitReply,
  async run(given, context) {
    const changes = await waitForPeople(given, context);
    const pieces = changes.events.map(
      (event): EventPiece => ({
        key: String(event.number),
        text: typeof event.data.note === 'string' ? event.data.note : '',
        event,
      }),
    );
    const fences = createFences(pieces.map(({ text }) => text));
    const about = { planId: given.planId, url: planUrl(context.baseUrl, given.planId) };
    return pagedReply(openPage('wait_for_plan_review', given), {
      pieces,
      pin: '',
      render: (parts) => renderChanges(about, changes, parts, fences),
    });
  },
});

type PlanChanges = Operations['wait-for-plan-changes']['output'];
type PlanEvent = PlanChanges['events'][number];

interface Waited extends PlanChanges {
  outcome: 'changed' | 'decided' | 'timeout';
}

interface EventPiece extends Piece {
  event: PlanEvent;
}

async function waitForPeople(
  given: { planId: string; timeoutSeconds?: number; since?: number },
  context: ToolContext,
): Promise<Waited> {
  const deadline = performance.now() + (given.timeoutSeconds ?? DEFAULT_SECONDS) * 1000;
  const look = (since: number | undefined, waitSeconds: number) =>
    context.run(OPERATION, { seriesId: given.planId, since, waitSeconds });
  let changes: PlanChanges | undefined;
  if (given.since === undefined) {
    changes = await look(undefined, 0);
    // Without a point to wait from, what was decided already would be waited for in vain.
    if (changes.status !== 'pending') return { ...changes, outcome: 'decided' };
  }
  for (;;) {
    const leftSeconds = Math.max(0, Math.round((deadline - performance.now()) / 1000));
    changes = await look(changes?.cursor ?? given.since, leftSeconds);
    const events = changes.events.filter((event) => isNews(event, context));
    if (events.length > 0) return { ...changes, events, outcome: 'changed' };
    const isOver = performance.now() >= deadline || context.gone.aborted;
    if (isOver || (changes.events.length === 0 && leftSeconds === 0))
      return { ...changes, events, outcome: 'timeout' };
  }
}

/** Whether somebody else did it: an agent knows its own doings, which carry its user's name too. */
function isNews({ actor, kind }: PlanEvent, context: ToolContext): boolean {
  const isOwn = actor.id === context.actor.userId && actor.kind !== 'session';
  return TELLING.has(kind) && !isOwn;
}

function renderChanges(
  about: { planId: string; url: string },
  changes: Waited,
  parts: readonly Part<EventPiece>[],
  fences: Fences,
): Reply<z.input<typeof WaitReply>> {
  const { outcome, status, version } = changes;
  // What does not fit is told next time: the reply says from where.
  const isWhole = parts.length === changes.events.length;
  const since = isWhole ? changes.cursor : (parts.at(-1)?.piece.event.number ?? changes.cursor);
  return {
    structured: { ...about, outcome, status, version, since, events: parts.map(presentEvent) },
    text: [
      `Plan ${about.planId} is ${status}, at version ${version}. ${about.url}`,
      outcome === 'timeout'
        ? `Nothing happened. To go on waiting, call again with since ${since}.`
        : `To wait for what comes next: since ${since}.`,
      ...(parts.some(({ text }) => text !== '') ? [fences.notice] : []),
      ...parts.map((part) => writeEvent(part, fences)),
      ...(isWhole ? [] : ['There is more: call again with this since.']),
      `Next: ${nextForStatus(status)}`,
    ].join('\n'),
  };
}

function presentEvent({ piece, text }: Part<EventPiece>): z.input<typeof EventShape> {
  const { actor, createdAt, data, kind } = piece.event;
  const word = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
  return {
    kind,
    by: actor.name === null ? undefined : plainName(actor.name),
    at: createdAt,
    version: typeof data.version === 'number' ? data.version : undefined,
    status: kind === 'status_changed' ? word('to') : undefined,
    commentId: word('commentId'),
    triageState: kind === 'comment_triaged' ? word('to') : undefined,
    note: text === '' ? undefined : text,
    noteIsCut: text.length < piece.text.length || undefined,
  };
}

function writeEvent(part: Part<EventPiece>, fences: Fences): string {
  const { at, by, commentId, kind, note, status, triageState, version } = presentEvent(part);
  const facts = [
    kind.replaceAll('_', ' '),
    version === undefined ? '' : ` (version ${version})`,
    status === undefined ? '' : ` to ${status}`,
    commentId === undefined ? '' : ` (comment ${commentId})`,
    triageState === undefined ? '' : ` to ${triageState}`,
    by === undefined ? '' : ` by ${quoteName(by)}`,
    ` at ${at}`,
  ].join('');
  return note === undefined
    ? `- ${facts}`
    : `- ${facts}:\n${fences.around('note', { author: by ?? '' }, note)}`;
}
