/** Follows changes to the plan, starting after the last known event. */
import { useQueryClient } from '@tanstack/react-query';
import type { PlanEventKind } from '../../../src/features/plans/contract.ts';
import { addressOf } from '../../api/client.ts';
import { useLiveEvents } from '../../api/use-live-events.ts';
import { type PlanEvent, planQuery } from './plan-data.ts';

const KINDS = Object.keys({
  plan_created: true,
  version_added: true,
  status_changed: true,
  approved: true,
  approval_withdrawn: true,
  changes_requested: true,
  review_requested: true,
  comment_added: true,
  comment_edited: true,
  comment_triaged: true,
  comments_addressed: true,
  pull_request_linked: true,
} satisfies Record<PlanEventKind, true>);

export function usePlanEvents(
  seriesId: string,
  since: number,
  onEvent: (event: PlanEvent) => void,
): 'live' | 'waiting' {
  const client = useQueryClient();
  return useLiveEvents<PlanEvent>({
    path: addressOf('stream-plan-changes', { seriesId }),
    kinds: KINDS,
    since,
    onEvent,
    /** Refetching the plan shows why: the session ended, the plan was deleted, or the service is down. */
    async check() {
      await client.refetchQueries(planQuery(seriesId));
      const { data, error } = client.getQueryState(planQuery(seriesId).queryKey) ?? {};
      if (error) return 'later';
      return data ? 'open' : 'never';
    },
  });
}
