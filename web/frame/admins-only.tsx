/** Pages for admins and owners: others who open the address are told so, and by whom it can be changed. */
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { isAdmin } from './navigation.ts';

export function AdminsOnly() {
  const session = useSession();
  if (isAdmin(session)) return <Outlet />;
  return (
    <Page title="Not for your role">
      <EmptyState
        title="This page is for admins and owners"
        action={<ButtonLink to="/">Go to the start</ButtonLink>}
      >
        You are {session.role} of {session.organization.name}. An admin or owner can change your role.
      </EmptyState>
    </Page>
  );
}
