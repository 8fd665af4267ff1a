/** A webhook's URL and events, for a new one and for changes. */
import { useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { type EventKind, EventKindsField } from './event-kinds.tsx';

export type Webhook = CallOutput<'list-webhooks'>['webhooks'][number];

const CHAT_HINT = 'The incoming webhook of a channel. Stored encrypted and never shown again.';
const URL_HELP = {
  json: {
    placeholder: 'https://ci.acme.example/hooks/countersign',
    hint: 'We POST each event as JSON and retry with backoff until we get a 2xx response.',
  },
  slack: { placeholder: 'https://hooks.slack.com/services/…', hint: CHAT_HINT },
  mattermost: { placeholder: 'https://chat.acme.example/hooks/…', hint: CHAT_HINT },
} as const;

export function WebhookForm({
  webhook,
  action,
  onSend,
}: {
  /** Its values are the initial ones. */
  webhook?: Webhook;
  action: string;
  onSend(values: { url: string; eventKinds: EventKind[]; format: Webhook['format'] }): Promise<void>;
}) {
  const [chosen, setChosen] = useState(
    webhook && webhook.eventKinds.length > 0 ? (webhook.eventKinds as EventKind[]) : undefined,
  );
  const [noneChosen, setNoneChosen] = useState(false);
  const form = useForm(
    { url: webhook && webhook.format === 'json' ? webhook.url : '', format: webhook?.format ?? 'json' },
    async ({ format, url }) => {
      // To the service an empty list means all events; unticking the last box doesn't mean that.
      setNoneChosen(chosen?.length === 0);
      if (chosen?.length === 0) return;
      await onSend({ url, eventKinds: chosen ?? [], format: format as Webhook['format'] });
    },
  );
  return (
    <Form form={form} action={action}>
      {!webhook && (
        <SelectField label="Format" {...form.field('format')}>
          <option value="json">JSON, signed</option>
          <option value="slack">Slack</option>
          <option value="mattermost">Mattermost</option>
        </SelectField>
      )}
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        {...URL_HELP[form.values.format as Webhook['format']]}
        autoFocus
        autoComplete="off"
        {...form.field('url')}
      />
      <EventKindsField
        chosen={chosen}
        error={noneChosen && chosen?.length === 0 ? 'Select at least one event, or all events.' : undefined}
        onChange={setChosen}
      />
    </Form>
  );
}
