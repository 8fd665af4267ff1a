/** Applies suggestions in one commit, with a message. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { useSession } from '../../../api/queries.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import {
  type PullRequest,
  pullRequestQuery,
  shortCommit,
} from '../../../parts/pull-request/pull-request-data.ts';
import { discussionsQuery } from '../../../parts/pull-request/threads/discussion-data.ts';
import type { ChosenWithState } from './batch-context.ts';
import { placeName } from './suggestion-state.ts';

interface ApplyDialogProps {
  pullRequest: PullRequest;
  onApplied(suggestions: readonly ChosenWithState[]): void;
  onClose(): void;
}

export function ApplyDialog(
  props: ApplyDialogProps & { suggestions: readonly ChosenWithState[] | undefined },
) {
  const { suggestions, ...rest } = props;
  const count = suggestions?.length ?? 0;
  return (
    <Dialog
      open={suggestions !== undefined}
      title={count === 1 ? 'Apply this suggestion' : `Apply ${count} suggestions`}
      description={`In one commit on ${props.pullRequest.headBranch}`}
      onClose={props.onClose}
    >
      {suggestions && <ApplyForm {...rest} suggestions={suggestions} />}
    </Dialog>
  );
}

function ApplyForm(props: ApplyDialogProps & { suggestions: readonly ChosenWithState[] }) {
  const { onApplied, onClose, pullRequest, suggestions } = props;
  const { id, headBranch } = pullRequest;
  const client = useQueryClient();
  const toast = useToast();
  const { user } = useSession();
  // A push while the message is written is refused: nobody has seen it here.
  const [head] = useState(pullRequest.headCommit);
  const count = suggestions.length;
  const form = useForm(
    { message: count === 1 ? 'Apply a suggestion from review' : `Apply ${count} suggestions from review` },
    async ({ message }) => {
      try {
        const { commit } = await call('apply-suggestions', {
          pullRequestId: id,
          expectedHead: head ?? '',
          message,
          suggestions: suggestions.map(({ commentId, index, text }) => ({ commentId, index, text })),
        });
        toast(`Committed ${shortCommit(commit)} to ${headBranch}. The page shows it in a moment.`);
        onApplied(suggestions);
        onClose();
      } finally {
        // Someone else may have edited or applied one that was refused.
        void client.invalidateQueries(discussionsQuery(id));
        void client.invalidateQueries(pullRequestQuery(id));
      }
    },
  );
  return (
    <Form
      form={form}
      action={count === 1 ? 'Apply suggestion' : `Apply ${count} suggestions`}
      aside={
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <ul className="max-h-40 overflow-y-auto text-sm text-quiet">
        {suggestions.map(({ commentId, index, state }) => (
          <li key={`${commentId} ${index}`} className="truncate font-mono text-xs leading-6">
            {state.kind === 'ready' && placeName(state.place)}
          </li>
        ))}
      </ul>
      <TextAreaField label="Commit message" rows={3} {...form.field('message')} />
      <p className="text-xs text-pretty text-quiet">
        {user.name} is the author, with whoever suggested it as co-author. Then none of you can approve the
        pull request.
      </p>
    </Form>
  );
}
