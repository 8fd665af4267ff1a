/** A session that ended in the middle of something: signs in over the page, which keeps all that was typed. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, onSessionEnded } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';

export function SignInAgain() {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const waiting = useRef<PromiseWithResolvers<void>>(undefined);

  useEffect(() => {
    onSessionEnded(() => {
      const session = client.getQueryData(sessionQuery.queryKey);
      if (!session) return Promise.reject(new Error('Please sign in.'));
      waiting.current ??= Promise.withResolvers<void>();
      setOpen(true);
      return waiting.current.promise;
    });
    return () => onSessionEnded(undefined);
  }, [client]);

  const session = client.getQueryData(sessionQuery.queryKey);
  const form = useForm({ password: '' }, async ({ password }) => {
    if (!session) return;
    const renewed = await call(
      'sign-in',
      { email: session.user.email, password, organizationId: session.organization.id },
      { renewSession: false },
    );
    client.setQueryData(sessionQuery.queryKey, renewed);
    waiting.current?.resolve();
    waiting.current = undefined;
    setOpen(false);
  });

  return (
    <Dialog
      open={open}
      persistent
      title="Please sign in again"
      description="Your session has ended. Nothing you typed is lost; what you were doing goes on after this."
      onClose={() => undefined}
    >
      <Form form={form} action="Sign in">
        <TextField
          label="E-mail"
          type="email"
          value={session?.user.email ?? ''}
          readOnly
          autoComplete="username"
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
          {...form.field('password')}
        />
      </Form>
    </Dialog>
  );
}
