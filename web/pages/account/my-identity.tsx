/** Your account at the identity provider, on the account page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { operationQuery, useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card, Section } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

/** Nothing without single sign-on. */
export function MyIdentity() {
  const client = useQueryClient();
  const { user } = useSession();
  const toast = useToast();
  const { data } = useQuery(operationQuery('get-my-identity', {}));
  const onError = (error: Error) => toast(error.message, 'danger');
  const link = useMutation({
    mutationFn: () => call('start-identity-link', {}),
    onSuccess: ({ url }) => window.location.assign(url),
    onError,
  });
  const unlink = useMutation({
    mutationFn: () => call('unlink-identity', { userId: user.id }),
    onSuccess: () => toast('Account unlinked'),
    onError,
    onSettled: () => client.invalidateQueries({ queryKey: ['get-my-identity'] }),
  });
  if (!data?.provider) return null;
  const { identity, passwordSignIn, provider } = data;
  return (
    <Section title="Single sign-on" lead={`Sign in with ${provider} instead of a password.`}>
      <Card className="flex max-w-md flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="text-sm font-medium wrap-anywhere">{provider}</p>
          <p className="text-sm wrap-anywhere text-quiet">
            {identity ? (
              <>
                Linked to {identity.email}, last signed in <Time at={identity.lastSignInAt} />
              </>
            ) : (
              'Not linked'
            )}
          </p>
        </div>
        {identity && passwordSignIn && (
          <Button size="small" busy={unlink.isPending} onClick={() => unlink.mutate()}>
            Unlink
          </Button>
        )}
        {!identity && (
          <Button busy={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
            Link my account
          </Button>
        )}
      </Card>
    </Section>
  );
}
