/** Pages for admins and owners: others see why they can't open them, and who can change that. */
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { isAdmin } from './navigation.ts';

export function AdminsOnly() {
  const session = useSession();
  if (isAdmin(session)) return <Outlet />;
  return (
    <Page title="You don’t have access">
      <EmptyState
        title="This page is for admins and owners"
        action={<ButtonLink to="/">Go to Home</ButtonLink>}
      >
        Your role in {session.organization.name} is {session.role}. An admin or owner can change it.
      </EmptyState>
    </Page>
  );
}
