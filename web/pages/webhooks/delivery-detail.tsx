/** One delivery: its attempts, its payload, and a button to redeliver it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { ProblemNotice } from '../../components/form.tsx';
import { ErrorState } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { Time } from '../../components/time.tsx';
import { type Delivery, describeReply, formatDuration } from './delivery-state.tsx';
import { pauseUntilNext } from './pause-until-next.ts';

export function DeliveryDetail({ delivery }: { delivery: Delivery }) {
  const { id: deliveryId, webhookId } = delivery;
  const detail = useQuery({
    ...operationQuery('get-webhook-delivery', { webhookId, deliveryId }),
    refetchInterval: ({ state }) => (state.data ? pauseUntilNext([state.data]) : false),
  });
  if (detail.error && !detail.data)
    return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />;
  if (!detail.data)
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-quiet">
        <Spinner />
        <span className="sr-only">Loading</span>
      </p>
    );
  const { attemptLog, nextAttemptAt, payload, state } = detail.data;
  return (
    <div className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <ResendButton delivery={delivery} />
        <p className="text-sm text-quiet">
          {state === 'pending' && nextAttemptAt && (
            <>
              Next attempt <Time at={nextAttemptAt} />.
            </>
          )}
          {state === 'failed' && 'No more automatic retries.'}
        </p>
        <p className="font-mono text-xs wrap-anywhere text-quiet">webhook-id: {deliveryId}</p>
      </div>
      <section>
        <h3 className="mb-1.5 text-xs font-medium text-quiet">Attempts</h3>
        {attemptLog.length === 0 && <p className="text-sm text-quiet">None yet.</p>}
        <ol className="grid gap-1.5">
          {attemptLog.map(({ at, durationMs, note, responseStatus }) => (
            <li key={at} className="flex flex-wrap gap-x-3 text-[0.8125rem]">
              <Time at={at} />
              <span className="tabular-nums">
                {describeReply(responseStatus)}, {formatDuration(durationMs)}
              </span>
              {note && <span className="min-w-0 wrap-anywhere text-quiet">{note}</span>}
            </li>
          ))}
        </ol>
      </section>
      <section className="min-w-0">
        <div className="mb-1.5 flex items-center justify-between gap-2">
          <h3 className="text-xs font-medium text-quiet">Payload</h3>
          <CopyButton small text={payload} name="Copy payload" />
        </div>
        <pre className="rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
          {readable(payload)}
        </pre>
      </section>
    </div>
  );
}

function ResendButton({ delivery }: { delivery: Delivery }) {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () =>
      call('resend-webhook-delivery', { webhookId: delivery.webhookId, deliveryId: delivery.id }),
    onSettled: () =>
      Promise.all(
        ['get-webhook-delivery', 'list-webhook-deliveries', 'list-webhooks'].map((name) =>
          client.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
  return (
    <>
      <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
        <RotateCw className="size-4" aria-hidden="true" />
        Redeliver
      </Button>
      {resend.error && <ProblemNotice problem={resend.error} />}
    </>
  );
}

/** Pretty-printed; the payload itself has no line breaks. */
function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
}
