/** A session that ended while the page was in use: a sign-in dialog over the page, which keeps what was typed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type CallOutput, call, onSessionEnded } from '../api/client.ts';
import { operationQuery, sessionQuery } from '../api/queries.ts';
import { Button, ButtonAnchor } from '../components/button.tsx';
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
      {ended && <SignInForm session={ended} onRenewed={proceed} />}
    </Dialog>
  );
}

/** As the organization of the session allows. */
function SignInForm(props: { session: Session; onRenewed(renewed: Session): void }) {
  const { onRenewed, session } = props;
  const { data: methods } = useQuery(operationQuery('list-sign-in-methods', {}));
  const provider = methods?.singleSignOn.find(
    ({ organizationId }) => organizationId === session.organization.id,
  );
  // Someone who signed in elsewhere comes back to this tab.
  useEffect(() => {
    if (!provider) return;
    const look = () =>
      call('get-session', {}, { renewSession: false }).then(
        (renewed) => {
          const isSame =
            renewed.user.id === session.user.id && renewed.organization.id === session.organization.id;
          if (isSame) onRenewed(renewed);
        },
        () => undefined,
      );
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [provider, session, onRenewed]);
  return (
    <div className="grid gap-4">
      {provider && (
        <ButtonAnchor href="/sign-in" target="_blank" rel="noopener">
          Sign in with {provider.name} in a new tab, then come back
        </ButtonAnchor>
      )}
      {provider?.passwordSignIn !== false && <PasswordForm session={session} onRenewed={onRenewed} />}
    </div>
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
