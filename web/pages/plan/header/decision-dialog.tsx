/** Confirms a decision about the plan, with a note. */
import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MarkdownField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';

export interface Decision {
  title: string;
  description: string;
  action: string;
  /** The note is required. */
  needsNote?: boolean;
  noteHint?: string;
  /** Shown before the decision is made. */
  before?(onClose: () => void): ReactNode;
  decide(note: string): Promise<void>;
}

export function DecisionDialog({ decision, onClose }: { decision: Decision | undefined; onClose(): void }) {
  return (
    <Dialog
      open={decision !== undefined}
      title={decision?.title ?? ''}
      description={decision?.description}
      onClose={onClose}
    >
      {decision && <NoteForm decision={decision} onClose={onClose} />}
    </Dialog>
  );
}

function NoteForm({ decision, onClose }: { decision: Decision; onClose(): void }) {
  const form = useForm({ note: '' }, async ({ note }) => {
    await decision.decide(note.trim());
    onClose();
  });
  return (
    <Form
      form={form}
      action={decision.action}
      aside={
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      {decision.before?.(onClose)}
      <MarkdownField
        label={decision.needsNote ? 'Requested changes' : 'Note (optional)'}
        hint={decision.noteHint}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void form.submit(event);
        }}
        {...form.field('note')}
      />
    </Form>
  );
}
