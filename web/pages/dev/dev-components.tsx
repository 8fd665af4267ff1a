/** Every component on one page, in development only. */
import { useState } from 'react';
import { Unreachable } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CommandLine, CopyButton } from '../../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { SecretText, SelectField, TextField } from '../../components/field.tsx';
import { COMMAND_KEY, Keys } from '../../components/kbd.tsx';
import { Notice } from '../../components/notice.tsx';
import { Card, EmptyState, ErrorState, LoadingRows, Page, Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

const LOOKS = ['primary', 'plain', 'quiet', 'danger', 'destroy'] as const;
const KINDS = ['plain', 'good', 'warn', 'danger'] as const;
const LONG =
  'A name that is long enough to show whether the layout breaks when text does not fit on one line at all';

export function DevComponentsPage() {
  const toast = useToast();
  const [open, setOpen] = useState<'dialog' | 'confirm'>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Components"
      lead="The components of all pages."
      actions={<Button look="primary">An action</Button>}
    >
      <Section title="Buttons">
        <div className="flex flex-wrap gap-2">
          {LOOKS.map((look) => (
            <Button key={look} look={look}>
              {look}
            </Button>
          ))}
          <Button size="small">small</Button>
          <Button busy>busy</Button>
          <Button disabled>disabled</Button>
        </div>
      </Section>
      <Section title="Fields">
        <Card className="grid max-w-md gap-4">
          <TextField label="Plain" placeholder="Something" hint="A hint about the expected value." />
          <TextField label="With an error" defaultValue="wrong" error="Invalid value." />
          <TextField label="Read-only" defaultValue="ada@example.com" readOnly />
          <SelectField label="Choice">
            <option>One</option>
            <option>{LONG}</option>
          </SelectField>
        </Card>
      </Section>
      <Section title="Notices and badges">
        {KINDS.map((kind) => (
          <Notice key={kind} kind={kind}>
            A {kind} notice says one thing.
          </Notice>
        ))}
        <div className="flex gap-2">
          <Badge>plain</Badge>
          <Badge kind="accent">accent</Badge>
          <Badge kind="good">good</Badge>
          <Badge kind="danger">danger</Badge>
        </div>
      </Section>
      <Section title="Table">
        <Table
          label="Sample"
          rows={['Short', LONG]}
          keyOf={(row) => row}
          columns={[
            { name: 'Name', wide: true, cell: (row) => <span className="break-words">{row}</span> },
            { name: 'When', cell: () => <Time at="2026-01-31T12:00:00.000Z" /> },
            {
              name: 'Do',
              hidden: true,
              cell: () => (
                <Button look="danger" size="small">
                  Remove
                </Button>
              ),
            },
          ]}
        />
      </Section>
      <Section title="States">
        <LoadingRows />
        <EmptyState title="Nothing here yet" action={<Button look="primary">Create one</Button>}>
          What belongs here, and how to add it.
        </EmptyState>
        <ErrorState error={new Unreachable(undefined)} onRetry={() => toast('Retried.')} />
      </Section>
      <Section title="Overlays">
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen('dialog')}>Dialog</Button>
          <Button onClick={() => setOpen('confirm')}>Confirmation</Button>
          <Button onClick={() => toast('It worked.')}>Toast</Button>
          <Button onClick={() => toast('Something went wrong.', 'danger')}>Failed toast</Button>
        </div>
        <div className="flex gap-2">
          <SecretText label="A secret" text="shown-once-and-never-again" />
          <CopyButton text="shown-once-and-never-again" name="Copy the secret" />
        </div>
        <Keys keys={[COMMAND_KEY, 'K']} />
        <CommandLine label="A command" text={`echo ${LONG}`} />
      </Section>
      <Dialog open={open === 'dialog'} title="A dialog" description="With a description." onClose={close}>
        <Button onClick={close}>Close</Button>
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        title={`Remove ${LONG}?`}
        description="This can’t be undone."
        action="Remove"
        busy={false}
        onConfirm={close}
        onClose={close}
      />
    </Page>
  );
}
