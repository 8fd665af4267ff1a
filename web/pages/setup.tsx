/** The first run: the setup link opens this page, which creates the organization and its owner. */
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
      <EntryPage
        title="Already set up"
        lead="This service already has an owner. The setup link works only once."
      >
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
    <EntryPage title="Set up Countersign" lead="This service isn’t set up yet.">
      <Notice>
        Open the setup link that the service printed in its terminal when it started. Restart the service to
        get a new link.
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
      lead="Create your organization and its owner. You can invite people afterwards."
    >
      <Form wide form={form} action="Create organization">
        <TextField
          label="Organization name"
          autoComplete="organization"
          autoFocus
          {...form.field('organizationName')}
        />
        <TextField label="Your name" autoComplete="name" {...form.field('name')} />
        <TextField label="Email" type="email" autoComplete="username" {...form.field('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters; a passphrase is stronger than a short password."
          {...form.field('password')}
        />
      </Form>
    </EntryPage>
  );
}
