/** A session that ended while the page was in use: a sign-in dialog over the page, which keeps what was typed. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CallOutput, call, onSessionEnded } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';

type Session = CallOutput<'get-session'>;

export function SignInAgain() {
  const client = useQueryClient();
  const [ended, setEnded] = useState<Session>();
  const waiting = useRef<PromiseWithResolvers<void>>(undefined);

  useEffect(() => {
    onSessionEnded(() => {
      const session = client.getQueryData(sessionQuery.queryKey);
      if (!session) return Promise.reject(new Error('Please sign in.'));
      waiting.current ??= Promise.withResolvers<void>();
      setEnded(session);
      return waiting.current.promise;
    });
    return () => onSessionEnded(undefined);
  }, [client]);

  const proceed = (renewed: Session) => {
    client.setQueryData(sessionQuery.queryKey, renewed);
    waiting.current?.resolve();
    waiting.current = undefined;
    setEnded(undefined);
  };
  return (
    <Dialog
      open={ended !== undefined}
      persistent
      title="Sign in again"
      description="Your session has expired. Sign in to continue; nothing you typed is lost."
      onClose={() => undefined}
    >
      {ended && <PasswordForm session={ended} onRenewed={proceed} />}
    </Dialog>
  );
}

/** Mounted only while the dialog is open, so that the password is not kept. */
function PasswordForm({ session, onRenewed }: { session: Session; onRenewed(renewed: Session): void }) {
  const form = useForm({ password: '' }, async ({ password }) => {
    const { organization, user } = session;
    const input = { email: user.email, password, organizationId: organization.id };
    onRenewed(await call('sign-in', input, { renewSession: false }));
  });
  return (
    <Form
      form={form}
      action="Sign in"
      aside={
        // A full page load, so that nothing of the previous user is left.
        <Button look="quiet" onClick={() => location.assign('/sign-in')}>
          Sign in as someone else
        </Button>
      }
    >
      <TextField label="Email" type="email" value={session.user.email} readOnly autoComplete="username" />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        autoFocus
        {...form.field('password')}
      />
    </Form>
  );
}
