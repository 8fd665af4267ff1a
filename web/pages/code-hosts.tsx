/** Settings → Code hosts: connect GitHub, GitLab, Gitea and Forgejo. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallOutput } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { formatNumber } from '../components/format-number.ts';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { ConnectDialog } from './code-hosts/connect-dialog.tsx';
import { HostState, KIND_NAMES } from './code-hosts/host-state.tsx';
import { HostView } from './code-hosts/host-view.tsx';

type Host = CallOutput<'list-code-hosts'>['codeHosts'][number];

const WHILE_ADDING_MS = 3_000;

export function CodeHostsPage() {
  const { host: chosen } = useSearch({ from: '/signed-in/admins/settings/code-hosts' });
  const { data, error, refetch } = useQuery({
    ...operationQuery('list-code-hosts', {}),
    refetchInterval: ({ state }) =>
      state.data?.codeHosts.some(({ selections }) => selections.some((one) => one.state === 'adding'))
        ? WHILE_ADDING_MS
        : false,
  });
  const [connecting, setConnecting] = useState(false);
  const client = useQueryClient();
  const host = data?.codeHosts.find(({ id }) => id === chosen);
  if (host) return <HostView key={host.id} host={host} />;
  const connect = (
    <Button look="primary" onClick={() => setConnecting(true)}>
      Connect code host
    </Button>
  );
  return (
    <Page
      title="Code hosts"
      lead="Review pull requests from GitHub, GitLab, Gitea and Forgejo here, in sync with the host."
      actions={data && data.codeHosts.length > 0 ? connect : undefined}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data && chosen && (
        <EmptyState
          title="Code host not found"
          action={<ButtonLink to="/settings/code-hosts">All code hosts</ButtonLink>}
        >
          It may have been disconnected.
        </EmptyState>
      )}
      {data && !chosen && data.codeHosts.length === 0 && (
        <EmptyState title="No code hosts yet" action={connect}>
          Connect a host, then choose the repositories whose pull requests you want to review here.
        </EmptyState>
      )}
      {data && !chosen && data.codeHosts.length > 0 && (
        <Table label="Code hosts" columns={COLUMNS} rows={data.codeHosts} keyOf={({ id }) => id} />
      )}
      <ConnectDialog
        open={connecting}
        onClose={() => setConnecting(false)}
        onConnected={() => void client.invalidateQueries({ queryKey: ['list-code-hosts'] })}
      />
    </Page>
  );
}

const COLUMNS: Column<Host>[] = [
  {
    name: 'Name',
    wide: true,
    cell: ({ id, name, url }) => (
      <div className="min-w-0">
        <Link
          to="/settings/code-hosts"
          search={{ host: id }}
          className="font-medium wrap-anywhere text-accent hover:underline"
        >
          {name}
        </Link>
        <p className="text-xs wrap-anywhere text-quiet">{url}</p>
      </div>
    ),
  },
  { name: 'Kind', cell: ({ kind }) => KIND_NAMES[kind] },
  { name: 'Repositories', cell: ({ repositoryCount }) => formatNumber(repositoryCount) },
  { name: 'State', cell: (host) => <HostState host={host} /> },
];
