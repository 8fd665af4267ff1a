/** Sign in with email and password, or with an identity provider. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { operationQuery, sessionQuery } from '../api/queries.ts';
import { EntryPage } from '../components/entry-page.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { SingleSignOnButton } from '../frame/single-sign-on-button.tsx';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  // Loaded before the page is shown; without an answer, the password is still tried.
  const { data: methods } = useQuery(operationQuery('list-sign-in-methods', {}));
  const providers = methods?.singleSignOn ?? [];
  const password = methods?.password ?? true;
  return (
    <EntryPage title="Sign in">
      <div className="grid gap-3">
        {providers.map(({ name, organizationId }) => (
          <SingleSignOnButton
            key={organizationId}
            organizationId={organizationId}
            name={name}
            look={password ? 'plain' : 'primary'}
            {...(next !== undefined && { returnTo: next })}
          />
        ))}
      </div>
      {password && providers.length > 0 && (
        <div className="my-5 flex items-center gap-3 text-[0.8125rem] text-quiet">
          <hr className="flex-1 border-line" />
          or
          <hr className="flex-1 border-line" />
        </div>
      )}
      {password && <PasswordForm next={next} />}
      <p className="mt-5 text-[0.8125rem] text-quiet">
        {password
          ? 'No account? Ask an admin for an invitation link. Forgot your password? The operator of this service can reset it.'
          : 'Password sign-in is off. If you can’t sign in, ask an admin of your organization.'}
      </p>
    </EntryPage>
  );
}

function PasswordForm({ next }: { next: string | undefined }) {
  const client = useQueryClient();
  const router = useRouter();
  const form = useForm({ email: '', password: '' }, async (values) => {
    const session = await call('sign-in', values, { renewSession: false });
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    router.history.replace(next ?? '/');
  });
  return (
    <Form wide form={form} action="Sign in">
      <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        {...form.field('password')}
      />
    </Form>
  );
}
