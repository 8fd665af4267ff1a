/** Settings → People: members with their roles, and invitations. */
import { useState } from 'react';
import { useOperationPages } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Page, Section } from '../components/page.tsx';
import { InvitationLinks } from './people/invitation-links.tsx';
import { Invitations } from './people/invitations.tsx';
import { InviteDialog } from './people/invite-dialog.tsx';
import { Members } from './people/members.tsx';

export function PeoplePage() {
  const [inviting, setInviting] = useState(false);
  const members = useOperationPages('list-members', {});
  return (
    <Page
      title="People"
      lead="Role changes take effect immediately, including for sessions and API keys."
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          Invite people
        </Button>
      }
    >
      <Section title="Members">
        <Members />
      </Section>
      {/* Rendered after the members, which would otherwise push it down as they load. */}
      {!members.isPending && (
        <>
          <Section title="Invitations">
            <Invitations />
          </Section>
          <Section title="Links for a domain">
            <InvitationLinks />
          </Section>
        </>
      )}
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}
