/** Sign in with email and password. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { EntryPage } from '../components/entry-page.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';

export function SignInPage() {
  const client = useQueryClient();
  const router = useRouter();
  const { next } = useSearch({ from: '/sign-in' });
  const form = useForm({ email: '', password: '' }, async (values) => {
    const session = await call('sign-in', values, { renewSession: false });
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    router.history.replace(next ?? '/');
  });
  return (
    <EntryPage title="Sign in">
      <Form wide form={form} action="Sign in">
        <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.field('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          {...form.field('password')}
        />
      </Form>
      <p className="mt-5 text-[0.8125rem] text-quiet">
        No account? Ask an admin for an invitation link. Forgot your password? The operator of this service
        can reset it.
      </p>
    </EntryPage>
  );
}
