/** A plan that is not there, or no longer. */
import { ButtonLink } from '../../components/button.tsx';
import { EmptyState, Page } from '../../components/page.tsx';
import type { PlanEvent } from './plan-data.ts';

const BACK = <ButtonLink to="/plans">Go to the plans</ButtonLink>;

export function PlanGone({ event, title }: { event: PlanEvent; title: string }) {
  return (
    <Page title="This plan was deleted">
      <EmptyState title={title} action={BACK}>
        {event.actor.name ?? 'Somebody'} deleted it while you had it open.
      </EmptyState>
    </Page>
  );
}

export function PlanNotFound() {
  return (
    <Page title="There is no such plan">
      <EmptyState title="Nothing is at this address" action={BACK}>
        The plan may have been deleted, or belong to another organization.
      </EmptyState>
    </Page>
  );
}
