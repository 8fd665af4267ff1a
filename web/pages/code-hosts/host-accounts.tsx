/** The people of a host, and whose accounts they are. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { operationQuery, useOperationPages } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useToast } from '../../components/toast.tsx';
import type { CodeHost } from './host-state.tsx';

type Account = CallOutput<'list-host-accounts'>['accounts'][number];

export function HostAccounts({ host }: { host: CodeHost }) {
  const [search, setSearch] = useState('');
  const [linking, setLinking] = useState<Account>();
  const client = useQueryClient();
  const toast = useToast();
  const settled = useDeferredValue(search.trim());
  const pages = useOperationPages('list-host-accounts', {
    codeHostId: host.id,
    ...(settled && { search: settled }),
  });
  const accounts = pages.data?.pages.flatMap((page) => page.accounts) ?? [];
  const refresh = () => client.invalidateQueries({ queryKey: ['list-host-accounts'] });
  const unlink = useMutation({
    mutationFn: (account: Account) =>
      call('unlink-host-account', { codeHostId: host.id, accountId: account.id }),
    onSuccess: () => toast('Account unlinked'),
    onError: (error) => toast(error.message, 'danger'),
    onSettled: refresh,
  });
  return (
    <div className="grid gap-4">
      <TextField
        label="Filter accounts"
        type="search"
        value={search}
        autoComplete="off"
        onChange={(event) => setSearch(event.target.value)}
      />
      {pages.error && !pages.data && <ErrorState error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingRows rows={2} />}
      {pages.data && accounts.length === 0 && (
        <p className="py-4 text-center text-sm text-quiet">
          {settled
            ? 'No matching accounts.'
            : 'No accounts yet. They appear once repositories were added and read.'}
        </p>
      )}
      {accounts.length > 0 && (
        <Table
          label="Accounts"
          columns={columns(setLinking, (account) => unlink.mutate(account))}
          rows={accounts}
          keyOf={({ id }) => id}
        />
      )}
      <ShowMore pages={pages} />
      <Dialog
        open={linking !== undefined}
        title={`Whose account is ${linking?.login ?? ''}?`}
        description="The member will see the private repositories that this account can read. Make sure that it’s theirs: names and email addresses prove nothing."
        onClose={() => setLinking(undefined)}
      >
        {linking && (
          <LinkForm
            host={host}
            account={linking}
            onDone={() => {
              setLinking(undefined);
              void refresh();
            }}
          />
        )}
      </Dialog>
    </div>
  );
}

function LinkForm({ account, host, onDone }: { account: Account; host: CodeHost; onDone(): void }) {
  const { data } = useQuery(operationQuery('list-members', {}));
  const toast = useToast();
  const form = useForm({ userId: '' }, async ({ userId }) => {
    await call('link-host-account', { codeHostId: host.id, accountId: account.id, userId });
    toast('Account linked');
    onDone();
  });
  return (
    <Form form={form} action="Link account">
      <SelectField label="Member" {...form.field('userId')}>
        <option value="">Choose a member</option>
        {data?.members
          .filter(({ deactivatedAt }) => deactivatedAt === null)
          .map(({ email, name, userId }) => (
            <option key={userId} value={userId}>
              {name} ({email})
            </option>
          ))}
      </SelectField>
    </Form>
  );
}

function columns(link: (account: Account) => void, unlink: (account: Account) => void): Column<Account>[] {
  return [
    {
      name: 'Account',
      wide: true,
      cell: ({ login, name }) => (
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{login}</p>
          {name !== login && <p className="text-xs wrap-anywhere text-quiet">{name}</p>}
        </div>
      ),
    },
    {
      name: 'Member',
      cell: ({ linkedBy, member }) =>
        member ? (
          <div>
            <p className="wrap-anywhere">{member.name}</p>
            <p className="text-xs text-quiet">
              {linkedBy === 'sign_in' ? 'Signed in' : 'Linked by an admin'}
            </p>
          </div>
        ) : (
          <span className="text-quiet">Not linked</span>
        ),
    },
    {
      name: 'Link',
      hidden: true,
      cell: (account) =>
        account.member ? (
          <Button size="small" aria-label={`Unlink ${account.login}`} onClick={() => unlink(account)}>
            Unlink
          </Button>
        ) : (
          <Button size="small" aria-label={`Link ${account.login}`} onClick={() => link(account)}>
            Link
          </Button>
        ),
    },
  ];
}
