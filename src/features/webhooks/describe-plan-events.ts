/** Describes plan events for deliveries: the plan, and the beginning of the comment if there is one. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import type { DescribedEvent } from './delivery-payload.ts';
import { selectEventComments, selectEventPlans } from './event-subject-store.ts';

export async function describePlanEvents(
  db: Db,
  events: OutboxEvent[],
  baseUrl: string,
): Promise<Map<OutboxEvent, DescribedEvent>> {
  const plans = await selectEventPlans(db, unique(events.map((event) => event.subjectId)));
  const comments = await selectEventComments(db, unique(events.flatMap((event) => commentOf(event) ?? [])));
  return new Map(
    events.map((event) => {
      const plan = plans.get(event.subjectId)!;
      const described = {
        type: planEventType(event.kind),
        subject: { plan: { ...plan, url: `${baseUrl}/plans/${plan.seriesId}` } },
        data: { ...event.data, ...comments.get(commentOf(event) ?? '') },
      };
      return [event, described];
    }),
  );
}

function commentOf({ data }: OutboxEvent): string | undefined {
  return typeof data.commentId === 'string' ? data.commentId : undefined;
}

/** A kind that already starts with "plan" doesn't repeat it: `plan.created`. */
function planEventType(kind: string): string {
  return `plan.${kind.replace(/^plan_/, '')}`;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
