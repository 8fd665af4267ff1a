/** Your accounts on the organization's code hosts, on the account page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card, Section } from '../../components/page.tsx';
import { useToast } from '../../components/toast.tsx';

/** Nothing without code hosts. */
export function MyAccounts() {
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useQuery(operationQuery('list-my-host-accounts', {}));
  const fail = (error: Error) => toast(error.message, 'danger');
  const link = useMutation({
    mutationFn: (codeHostId: string) => call('start-host-account-link', { codeHostId }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: fail,
  });
  const unlink = useMutation({
    mutationFn: (input: { codeHostId: string; accountId: string }) => call('unlink-host-account', input),
    onSuccess: () => toast('Account unlinked'),
    onError: fail,
    onSettled: () => client.invalidateQueries({ queryKey: ['list-my-host-accounts'] }),
  });
  if (!data || data.hosts.length === 0) return null;
  return (
    <Section
      title="Code host accounts"
      lead="Link your account to see the private repositories that you can read on the host."
    >
      {data.hosts.map(({ accounts, canSignIn, codeHostId, name }) => (
        <Card key={codeHostId} className="flex max-w-md flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <p className="text-sm font-medium wrap-anywhere">{name}</p>
            <p className="text-sm wrap-anywhere text-quiet">
              {accounts.length > 0
                ? `Linked to ${accounts.map(({ login }) => login).join(', ')}`
                : canSignIn
                  ? 'Not linked'
                  : 'Not linked. Ask an admin to link your account.'}
            </p>
          </div>
          {accounts.map(({ id, login }) => (
            <Button
              key={id}
              size="small"
              aria-label={`Unlink ${login}`}
              onClick={() => unlink.mutate({ codeHostId, accountId: id })}
            >
              Unlink
            </Button>
          ))}
          {accounts.length === 0 && canSignIn && (
            <Button busy={link.isPending} onClick={() => link.mutate(codeHostId)}>
              Link my account
            </Button>
          )}
        </Card>
      ))}
    </Section>
  );
}
