/** Where a webhook leads and what it is told of, for a new one and for one that is changed. */
import { useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { type EventKind, EventKindsField } from './event-kinds.tsx';

export type Webhook = CallOutput<'list-webhooks'>['webhooks'][number];

export function WebhookForm({
  webhook,
  action,
  onSend,
}: {
  /** What stands there at first. */
  webhook?: Webhook;
  action: string;
  onSend(values: { url: string; eventKinds: EventKind[] }): Promise<void>;
}) {
  const [chosen, setChosen] = useState(
    webhook && webhook.eventKinds.length > 0 ? (webhook.eventKinds as EventKind[]) : undefined,
  );
  const [noneChosen, setNoneChosen] = useState(false);
  const form = useForm({ url: webhook?.url ?? '' }, async ({ url }) => {
    // To the service none means everything; nobody who unticks the last box means that.
    setNoneChosen(chosen?.length === 0);
    if (chosen?.length === 0) return;
    await onSend({ url, eventKinds: chosen ?? [] });
  });
  return (
    <Form form={form} action={action}>
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://ci.acme.example/hooks/countersign"
        hint="Each event is posted there as JSON, and again with growing pauses until the reply is a 2xx."
        autoFocus
        autoComplete="off"
        {...form.field('url')}
      />
      <EventKindsField
        chosen={chosen}
        error={noneChosen && chosen?.length === 0 ? 'Choose at least one, or everything.' : undefined}
        onChange={setChosen}
      />
    </Form>
  );
}
