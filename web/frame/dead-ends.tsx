/** Addresses that lead nowhere, and pages that could not be loaded. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, ErrorState, Page } from '../components/page.tsx';

export function NotFound() {
  return (
    <Page title="There is nothing here">
      <EmptyState title="This page does not exist" action={<ButtonLink to="/">Go to the start</ButtonLink>}>
        Check the address. What belongs to another organization is not found either.
      </EmptyState>
    </Page>
  );
}

export function LoadFailed({ error, reset }: ErrorComponentProps) {
  const shown = error instanceof Error ? error : new Error(String(error));
  return (
    <Page title="Something went wrong">
      <ErrorState error={shown} onRetry={reset} />
    </Page>
  );
}
