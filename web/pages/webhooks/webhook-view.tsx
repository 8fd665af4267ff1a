/** One webhook: its events, its actions and its deliveries. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { type CallInput, type CallOutput, call } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import type { Delivery } from './delivery-state.tsx';
import { eventName } from './event-kinds.tsx';
import { CheckSignature, SecretDialog } from './secret-once.tsx';
import { type Webhook, WebhookForm } from './webhook-form.tsx';

type Asked = 'edit' | 'disable' | 'rotate' | 'delete';

export function WebhookView({ webhook, state }: { webhook: Webhook; state?: Delivery['state'] }) {
  const [asked, setAsked] = useState<Asked>();
  const { createdAt, createdBy, enabled, eventKinds, format, id, url } = webhook;
  const test = useTest(id);
  const close = () => setAsked(undefined);
  const enable = useChange(webhook, 'Webhook turned on');
  return (
    <Page
      title="Webhook"
      lead={
        <Link
          to="/settings/webhooks"
          className="inline-flex items-center gap-1 hover:text-text hover:underline"
        >
          <ArrowLeft className="size-4" aria-hidden="true" />
          All webhooks
        </Link>
      }
    >
      <Card className="mb-8 grid gap-4">
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0 flex-1">
            <p className="font-mono text-sm wrap-anywhere">{url}</p>
            <p className="mt-1 text-sm wrap-anywhere text-quiet">
              Added by {createdBy.name}, <Time at={createdAt} />
            </p>
          </div>
          <Badge kind={enabled ? 'good' : 'plain'}>{enabled ? 'On' : 'Off'}</Badge>
        </div>
        <p className="text-sm">
          <span className="text-quiet">Events: </span>
          {eventKinds.length === 0 ? 'all' : eventKinds.map(eventName).join(', ')}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setAsked('edit')}>Edit</Button>
          {enabled ? (
            <Button onClick={() => setAsked('disable')}>Turn off</Button>
          ) : (
            <Button busy={enable.isPending} onClick={() => enable.mutate({ enabled: true })}>
              Turn on
            </Button>
          )}
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          {format === 'json' && <Button onClick={() => setAsked('rotate')}>Rotate secret</Button>}
          <Button look="danger" onClick={() => setAsked('delete')}>
            Delete
          </Button>
        </div>
        {format === 'json' && <CheckSignature />}
      </Card>
      <Deliveries webhookId={id} state={state} />
      <EditDialog webhook={webhook} open={asked === 'edit'} onClose={close} />
      <DisableDialog webhook={webhook} open={asked === 'disable'} onClose={close} />
      <RotateDialog webhook={webhook} open={asked === 'rotate'} onClose={close} />
      <DeleteDialog webhook={webhook} open={asked === 'delete'} onClose={close} />
    </Page>
  );
}

function useTest(webhookId: string) {
  const toast = useToast();
  return useMutation({
    mutationFn: () => call('test-webhook', { webhookId }),
    onSuccess({ note, responseStatus }) {
      if (responseStatus !== null && responseStatus >= 200 && responseStatus < 300) toast('Test delivered');
      else toast(`Test failed: ${[responseStatus, note].filter(Boolean).join(' ')}`, 'danger');
    },
    onError: (error) => toast(error.message, 'danger'),
  });
}

interface DialogProps {
  webhook: Webhook;
  open: boolean;
  onClose(): void;
}

/** Changes the webhook and refetches everything that shows it. */
function useChange(webhook: Webhook, done: string) {
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (change: Omit<CallInput<'change-webhook'>, 'webhookId'>) =>
      call('change-webhook', { webhookId: webhook.id, ...change }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['list-webhooks'] });
      void client.invalidateQueries({ queryKey: ['list-webhook-deliveries', webhook.id] });
      toast(done);
    },
  });
}

function EditDialog({ webhook, open, onClose }: DialogProps) {
  const change = useChange(webhook, 'Webhook saved');
  return (
    <Dialog open={open} title="Edit webhook" onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        action="Save"
        onSend={async ({ eventKinds, url }) => {
          // The URL of a chat is a secret that the form doesn't know: an empty field keeps it.
          const isKept = webhook.format !== 'json' && url === '';
          await change.mutateAsync({ eventKinds, ...(!isKept && { url }) });
          onClose();
        }}
      />
    </Dialog>
  );
}

function DisableDialog({ webhook, open, onClose }: DialogProps) {
  const change = useChange(webhook, 'Webhook turned off');
  return (
    <ConfirmDialog
      open={open}
      title="Turn this webhook off?"
      description="No more events are sent. Pending deliveries are canceled; you can redeliver them once it’s on again."
      action="Turn off"
      busy={change.isPending}
      problem={change.error}
      onClose={() => {
        change.reset();
        onClose();
      }}
      onConfirm={() => change.mutate({ enabled: false }, { onSuccess: onClose })}
    />
  );
}

function RotateDialog({ webhook, open, onClose }: DialogProps) {
  const [created, setCreated] = useState<CallOutput<'rotate-webhook-secret'>>();
  const rotate = useMutation({
    mutationFn: () => call('rotate-webhook-secret', { webhookId: webhook.id }),
    onSuccess(made) {
      setCreated(made);
      onClose();
    },
  });
  return (
    <>
      <ConfirmDialog
        open={open}
        title="Rotate the signing secret?"
        description="The old one stops working immediately: receivers reject deliveries until you give them the new secret."
        action="Rotate secret"
        busy={rotate.isPending}
        problem={rotate.error}
        onClose={() => {
          rotate.reset();
          onClose();
        }}
        onConfirm={() => rotate.mutate()}
      />
      <SecretDialog
        created={created}
        onClose={() => {
          // The mutation keeps its reply too.
          rotate.reset();
          setCreated(undefined);
        }}
      />
    </>
  );
}

function DeleteDialog({ webhook, open, onClose }: DialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => call('delete-webhook', { webhookId: webhook.id }),
    async onSuccess() {
      toast('Webhook deleted');
      await navigate({ to: '/settings/webhooks' });
      await client.invalidateQueries({ queryKey: ['list-webhooks'] });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      title="Delete this webhook?"
      description={
        <>
          Events are no longer sent to {webhook.url}, and its delivery history is deleted. This can’t be
          undone.
        </>
      }
      action="Delete webhook"
      busy={remove.isPending}
      problem={remove.error}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      onConfirm={() => remove.mutate()}
    />
  );
}
