/** The status of a delivery, with an icon. */
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react';
import type { CallOutput } from '../../api/client.ts';

export type Delivery = CallOutput<'list-webhook-deliveries'>['deliveries'][number];

export const DELIVERY_STATES: Record<Delivery['state'], { name: string; icon: LucideIcon; look: string }> = {
  pending: { name: 'Pending', icon: Clock, look: 'text-warn' },
  succeeded: { name: 'Delivered', icon: CircleCheck, look: 'text-good' },
  failed: { name: 'Failed', icon: CircleX, look: 'text-danger' },
};

export function DeliveryState({ state }: { state: Delivery['state'] }) {
  const { icon: Icon, look, name } = DELIVERY_STATES[state];
  return (
    <span className={`inline-flex items-center gap-1.5 text-sm font-medium whitespace-nowrap ${look}`}>
      <Icon className="size-4" aria-hidden="true" />
      {name}
    </span>
  );
}

export function describeReply(responseStatus: number | null): string {
  return responseStatus === null ? 'no response' : `HTTP ${responseStatus}`;
}

export function formatDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}
