/** An invitation link: join with a new account, or with an existing one. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery, sessionQuery } from '../api/queries.ts';
import { ButtonLink } from '../components/button.tsx';
import { EntryPage } from '../components/entry-page.tsx';
import { TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { LoadingRows } from '../components/page.tsx';
import { SingleSignOnButton } from '../frame/single-sign-on-button.tsx';
import { useToken } from '../take-token.ts';

export function InvitationPage() {
  const token = useToken();
  const { data, error } = useQuery({
    ...operationQuery('look-up-invitation', { token: token ?? '' }),
    enabled: token !== undefined,
  });
  if (!token || error) {
    return (
      <EntryPage
        title="This invitation can’t be used"
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
  return <Join key={token} token={token} offer={data} />;
}

/** With the organization's identity provider, with a password, or either, as the organization allows. */
function Join({ token, offer }: { token: string; offer: CallOutput<'look-up-invitation'> }) {
  const { data: methods } = useQuery(operationQuery('list-sign-in-methods', {}));
  const provider = methods?.singleSignOn.find(
    ({ organizationId }) => organizationId === offer.organizationId,
  );
  return (
    <EntryPage
      title={`Join ${offer.organizationName}`}
      lead={`You’ve been invited as ${/^[ao]/.test(offer.role) ? 'an' : 'a'} ${offer.role}.`}
    >
      {provider && (
        <div className="grid gap-2">
          <SingleSignOnButton
            organizationId={offer.organizationId}
            name={provider.name}
            look={provider.passwordSignIn ? 'plain' : 'primary'}
          />
          <p className="text-[0.8125rem] text-quiet">Use the account with the address {offer.email}.</p>
        </div>
      )}
      {provider?.passwordSignIn && (
        <div className="my-5 flex items-center gap-3 text-[0.8125rem] text-quiet">
          <hr className="flex-1 border-line" />
          or
          <hr className="flex-1 border-line" />
        </div>
      )}
      {(!provider || provider.passwordSignIn) && <JoinForm token={token} offer={offer} />}
    </EntryPage>
  );
}

function JoinForm({ token, offer }: { token: string; offer: CallOutput<'look-up-invitation'> }) {
  const client = useQueryClient();
  const router = useRouter();
  const form = useForm({ name: '', password: '' }, async ({ name, password }) => {
    const input = offer.knownUser ? { token, password } : { token, name, password };
    const session = await call('accept-invitation', input, { renewSession: false });
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    await router.navigate({ to: '/', replace: true });
  });
  return (
    <Form wide form={form} action={`Join ${offer.organizationName}`}>
      <TextField label="Email" type="email" value={offer.email} readOnly autoComplete="username" />
      {!offer.knownUser && (
        <TextField label="Your name" autoComplete="name" autoFocus {...form.field('name')} />
      )}
      <TextField
        label="Password"
        type="password"
        autoComplete={offer.knownUser ? 'current-password' : 'new-password'}
        hint={offer.knownUser ? 'The password of your existing account.' : 'At least 8 characters.'}
        {...form.field('password')}
      />
    </Form>
  );
}
