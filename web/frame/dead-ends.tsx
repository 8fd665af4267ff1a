/** Page not found, and pages that failed to load. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { ErrorState } from '../components/page.tsx';

export function NotFound() {
  return (
    <EntryPage title="Page not found" lead="Check the address. The page may belong to another organization.">
      <ButtonLink to="/">Go to Home</ButtonLink>
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
