/** Addresses that lead nowhere, and pages that could not be loaded. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { ErrorState } from '../components/page.tsx';

export function NotFound() {
  return (
    <EntryPage
      title="There is nothing here"
      lead="This page does not exist. Check the address; what belongs to another organization is not found either."
    >
      <ButtonLink to="/">Go to the start</ButtonLink>
    </EntryPage>
  );
}

export function LoadFailed({ error }: ErrorComponentProps) {
  const shown = error instanceof Error ? error : new Error(String(error));
  return (
    <EntryPage title="Something went wrong">
      <ErrorState error={shown} onRetry={() => navigator.onLine && location.reload()} />
    </EntryPage>
  );
}
