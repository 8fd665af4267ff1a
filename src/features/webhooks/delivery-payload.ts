/** The body of a delivery: a plan event as JSON, the same for each attempt. */

export const COMMENT_CHARACTERS = 2000;

export interface NotifiedEvent {
  number: string;
  kind: string;
  actorKind: string;
  actorUserId: string | null;
  organizationId: string;
  createdAt: Date;
  data: Record<string, unknown>;
}

export interface NotifiedPlan {
  seriesId: string;
  title: string;
  status: string;
}

/** The beginning of a comment and its author. */
export interface NotifiedComment {
  body: string;
  bodyTruncated: boolean;
  author: { id: string; name: string };
}

export function deliveryPayload(
  event: NotifiedEvent,
  plan: NotifiedPlan,
  names: ReadonlyMap<string, string>,
  comment: NotifiedComment | undefined,
  baseUrl: string,
): string {
  const { actorKind, actorUserId, createdAt, data, kind, number, organizationId } = event;
  return JSON.stringify({
    type: eventType(kind),
    timestamp: createdAt.toISOString(),
    organizationId,
    number: Number(number),
    plan: { ...plan, url: `${baseUrl}/plans/${plan.seriesId}` },
    actor: {
      kind: actorKind,
      id: actorUserId,
      name: actorUserId === null ? null : (names.get(actorUserId) ?? null),
    },
    data: { ...data, ...comment },
  });
}

/** For example `plan.comment_added`. A kind that already starts with "plan" doesn't repeat it: `plan.created`. */
function eventType(kind: string): string {
  return `plan.${kind.replace(/^plan_/, '')}`;
}
