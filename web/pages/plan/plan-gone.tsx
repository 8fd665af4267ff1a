/** Shown instead of a plan that doesn't exist, or was just deleted. */
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, Page } from '../../components/page.tsx';
import type { PlanEvent } from './plan-data.ts';

const BACK = <ButtonLink to="/plans">Go to plans</ButtonLink>;

export function PlanGone({ event, title }: { event: PlanEvent; title: string }) {
  return (
    <Page title="This plan was deleted">
      <EmptyState title={title} action={BACK}>
        {event.actor.name ?? 'Someone'} deleted it while you were viewing it.
      </EmptyState>
    </Page>
  );
}

export function PlanNotFound() {
  return (
    <Page title="Plan not found">
      <EmptyState title="No plan at this address" action={BACK}>
        It may have been deleted or belong to another organization.
      </EmptyState>
    </Page>
  );
}
