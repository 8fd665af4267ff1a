/** The first run: the printed link opens this; it makes the organization and its owner. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, call } from '../api/client.ts';
import { operationQuery, sessionQuery } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { ErrorState, LoadingRows } from '../components/page.tsx';
import { useToken } from '../take-token.ts';

export function SetupPage() {
  const token = useToken();
  const { data, error, refetch } = useQuery(operationQuery('get-setup-state', {}));
  if (error) {
    return (
      <EntryPage title="Set up Countersign">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </EntryPage>
    );
  }
  if (!data) {
    return (
      <EntryPage title="Set up Countersign">
        <LoadingRows />
      </EntryPage>
    );
  }
  if (!data.needed) {
    return (
      <EntryPage title="Already set up" lead="This service has an owner. The setup link works once.">
        <ButtonLink to="/sign-in" look="primary">
          Sign in
        </ButtonLink>
      </EntryPage>
    );
  }
  return token ? <SetupForm key={token} token={token} /> : <LinkNeeded />;
}

function LinkNeeded() {
  return (
    <EntryPage title="Set up Countersign" lead="Nobody has signed up yet.">
      <Notice>
        Open the setup link that the service printed in its terminal when it started. It begins with this
        address and ends in a token. A restart prints a new one.
      </Notice>
    </EntryPage>
  );
}

function SetupForm({ token }: { token: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const [gone, setGone] = useState(false);
  const form = useForm({ organizationName: '', name: '', email: '', password: '' }, async (values) => {
    try {
      const session = await call('set-up', { token, ...values }, { renewSession: false });
      client.clear();
      client.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ to: '/', replace: true });
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) setGone(true);
      throw error;
    }
  });
  if (gone) return <LinkNeeded />;
  return (
    <EntryPage
      title="Set up Countersign"
      lead="One organization, one owner; you can invite others afterwards."
    >
      <Form wide form={form} action="Create the organization">
        <TextField
          label="Organization"
          autoComplete="organization"
          autoFocus
          {...form.field('organizationName')}
        />
        <TextField label="Your name" autoComplete="name" {...form.field('name')} />
        <TextField label="E-mail" type="email" autoComplete="username" {...form.field('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters; a few words are better than a few signs."
          {...form.field('password')}
        />
      </Form>
    </EntryPage>
  );
}
