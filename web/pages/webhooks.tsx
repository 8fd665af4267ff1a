/** Settings → Webhooks: send signed events to other services. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState, ErrorState, LoadingRows, Page } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { DeliveryState } from './webhooks/delivery-state.tsx';
import { describeEvents } from './webhooks/event-kinds.tsx';
import { SecretDialog } from './webhooks/secret-once.tsx';
import { type Webhook, WebhookForm } from './webhooks/webhook-form.tsx';
import { WebhookView } from './webhooks/webhook-view.tsx';

const WHILE_PENDING_MS = 3_000;

export function WebhooksPage() {
  const search = useSearch({ from: '/signed-in/admins/settings/webhooks' });
  const list = useQuery({
    ...operationQuery('list-webhooks', {}),
    refetchInterval: ({ state }) =>
      state.data?.webhooks.some(({ newestDelivery }) => newestDelivery?.state === 'pending')
        ? WHILE_PENDING_MS
        : false,
  });
  if (!search.webhook) return <WebhookList list={list} />;
  const webhook = list.data?.webhooks.find(({ id }) => id === search.webhook);
  if (webhook) return <WebhookView key={webhook.id} webhook={webhook} state={search.state} />;
  return (
    <Page title="Webhook">
      {list.error && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!list.data && !list.error && <LoadingRows />}
      {list.data && (
        <EmptyState
          title="Webhook not found"
          action={<ButtonLink to="/settings/webhooks">All webhooks</ButtonLink>}
        >
          It may have been deleted.
        </EmptyState>
      )}
    </Page>
  );
}

interface List {
  data: CallOutput<'list-webhooks'> | undefined;
  error: Error | null;
  refetch(): unknown;
}

function WebhookList({ list: { data, error, refetch } }: { list: List }) {
  const client = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<CallOutput<'create-webhook'>>();
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      Add webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      lead="Send events to your own services, Slack or Mattermost."
      actions={data?.webhooks.length === 0 ? undefined : add}
    >
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingRows />}
      {data?.webhooks.length === 0 && (
        <EmptyState title="No webhooks yet" action={add}>
          For example, start a build when a plan is approved, or post new plans to a chat.
        </EmptyState>
      )}
      {data && data.webhooks.length > 0 && (
        <Table label="Webhooks" columns={COLUMNS} rows={data.webhooks} keyOf={({ id }) => id} />
      )}
      <Dialog open={adding} title="Add webhook" onClose={() => setAdding(false)}>
        <WebhookForm
          action="Add webhook"
          onSend={async (values) => {
            const made = await call('create-webhook', values);
            setAdding(false);
            if (values.format === 'json') setCreated(made);
            void client.invalidateQueries({ queryKey: ['list-webhooks'] });
          }}
        />
      </Dialog>
      <SecretDialog created={created} onClose={() => setCreated(undefined)} />
    </Page>
  );
}

const COLUMNS: Column<Webhook>[] = [
  {
    name: 'URL',
    wide: true,
    cell: ({ eventKinds, id, url }) => (
      <div className="min-w-0">
        <Link
          to="/settings/webhooks"
          search={{ webhook: id }}
          className="font-mono text-[0.8125rem] font-medium wrap-anywhere hover:underline"
        >
          {url}
        </Link>
        <p className="text-[0.8125rem] text-quiet">{describeEvents(eventKinds)}</p>
      </div>
    ),
  },
  {
    name: 'Last delivery',
    cell: ({ newestDelivery }) =>
      newestDelivery ? (
        <span className="flex items-center gap-3 sm:grid sm:gap-0">
          <DeliveryState state={newestDelivery.state} />
          <Time at={newestDelivery.createdAt} />
        </span>
      ) : (
        <span className="text-quiet">None yet</span>
      ),
  },
  {
    name: 'Status',
    cell: ({ enabled }) => <Badge kind={enabled ? 'good' : 'plain'}>{enabled ? 'On' : 'Off'}</Badge>,
  },
];
