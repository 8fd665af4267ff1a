/** A link for a domain: enter an address at it, and get a personal invitation by mail. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { LoadingRows } from '../components/page.tsx';
import { useToken } from '../take-token.ts';

export function JoinPage() {
  const token = useToken();
  const [sentTo, setSentTo] = useState<string>();
  const { data, error } = useQuery({
    ...operationQuery('look-up-invitation-link', { token: token ?? '' }),
    enabled: token !== undefined,
  });
  if (!token || error) {
    return (
      <EntryPage
        title="This link can’t be used"
        lead={error?.message ?? 'The link is incomplete. Open it again exactly as you received it.'}
      >
        <ButtonLink to="/sign-in">Sign in instead</ButtonLink>
      </EntryPage>
    );
  }
  if (!data) {
    return (
      <EntryPage title="Invitation">
        <LoadingRows />
      </EntryPage>
    );
  }
  if (sentTo !== undefined) {
    return (
      <EntryPage
        title="Check your mail"
        lead={`If ${sentTo} isn’t a member of ${data.organizationName} yet, we’re sending it an invitation. Open the link in it to join.`}
      >
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setSentTo(undefined)}>Use another address</Button>
          <ButtonLink to="/sign-in">Sign in</ButtonLink>
        </div>
      </EntryPage>
    );
  }
  return (
    <EntryPage
      title={`Join ${data.organizationName}`}
      lead={`For people with an address at ${data.domain}. You’ll get an invitation by mail.`}
    >
      <AddressForm key={token} token={token} domain={data.domain} onSent={setSentTo} />
    </EntryPage>
  );
}

function AddressForm(props: { token: string; domain: string; onSent(email: string): void }) {
  const { domain, onSent, token } = props;
  const form = useForm({ email: '' }, async ({ email }) => {
    await call('request-invitation', { token, email }, { renewSession: false });
    onSent(email);
  });
  return (
    <Form wide form={form} action="Send invitation">
      <TextField
        label="Email"
        type="email"
        placeholder={`you@${domain}`}
        autoComplete="email"
        autoFocus
        {...form.field('email')}
      />
    </Form>
  );
}
