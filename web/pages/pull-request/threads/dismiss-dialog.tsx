/** Dismisses a finding of a reviewer with a reason, and says where it stays silent from then on. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { Choice } from '../../repositories/choice.tsx';
import { pullRequestQuery } from '../pull-request-data.ts';
import { type Discussion, showDiscussion } from './discussion-data.ts';

const REASONS = {
  wrong: 'The finding is wrong',
  intended: 'This is intended',
  not_worth_it: 'Not worth fixing',
  later: 'Will fix later',
};
const SCOPES = {
  pull_request: 'This pull request',
  repository: 'This repository',
  organization: 'All repositories',
};

export function DismissDialog(props: {
  discussion: Discussion;
  pullRequestId: string;
  open: boolean;
  onClose(): void;
}) {
  return (
    <Dialog
      open={props.open}
      title="Dismiss this finding"
      description="Resolves the discussion. The same finding won’t be raised again where you choose."
      onClose={props.onClose}
    >
      <DismissForm {...props} />
    </Dialog>
  );
}

function DismissForm(props: { discussion: Discussion; pullRequestId: string; onClose(): void }) {
  const { discussion, onClose, pullRequestId } = props;
  const client = useQueryClient();
  const toast = useToast();
  const form = useForm(
    { reason: 'wrong', scope: 'pull_request', note: '' },
    async ({ note, reason, scope }) => {
      const dismissed = await call('dismiss-finding', {
        discussionId: discussion.id,
        reason: reason as keyof typeof REASONS,
        scope: scope as keyof typeof SCOPES,
        ...(note.trim() && { note: note.trim() }),
      });
      showDiscussion(client, pullRequestId, dismissed);
      void client.invalidateQueries(pullRequestQuery(pullRequestId));
      toast('Finding dismissed');
      onClose();
    },
  );
  return (
    <Form
      form={form}
      action="Dismiss"
      aside={
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      {(['reason', 'scope'] as const).map((name) => (
        <fieldset key={name} className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">
            {name === 'reason' ? 'Reason' : 'Don’t raise it again in'}
          </legend>
          {Object.entries(name === 'reason' ? REASONS : SCOPES).map(([value, label]) => (
            <Choice
              key={value}
              type="radio"
              name={name}
              checked={form.values[name] === value}
              onChange={() => form.set(name, value)}
            >
              {label}
            </Choice>
          ))}
        </fieldset>
      ))}
      <TextAreaField label="Note (optional)" {...form.field('note')} />
    </Form>
  );
}
