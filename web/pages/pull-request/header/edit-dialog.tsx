/** Changes the title, the description and the base branch. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MarkdownField, TextField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import {
  type PullRequest,
  pullRequestQuery,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { BranchField } from '../../../parts/pull-requests/branch-field.tsx';

export function EditDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  return (
    <Dialog open={props.open} title="Edit pull request" onClose={props.onClose}>
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ pullRequest, onClose }: { pullRequest: PullRequest; onClose(): void }) {
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const client = useQueryClient();
  const { baseBranch, description, id, repository, title } = pullRequest;
  // Others may tick a task or edit it meanwhile: only what was changed here is sent.
  const [seen] = useState({ title, description });
  const [replaces, setReplaces] = useState(false);
  const form = useForm(
    { title, description, base: baseBranch },
    async (values) => {
      const base = values.base.trim();
      try {
        const changed = await call('change-pull-request', {
          pullRequestId: id,
          ...(values.title !== seen.title && { title: values.title }),
          ...(values.description !== seen.description && {
            description: values.description,
            ...(!replaces && { expectedDescription: seen.description }),
          }),
          ...(base !== baseBranch && { base }),
        });
        showPullRequest(changed);
      } catch (error) {
        const now = await client.fetchQuery({ ...pullRequestQuery(id), staleTime: 0 });
        setReplaces(now.description !== seen.description);
        throw error;
      }
      toast('Pull request updated.');
      onClose();
    },
    `${id}:edit`,
  );
  const cancel = () => {
    form.discard();
    onClose();
  };
  return (
    <Form
      form={form}
      action="Save"
      aside={
        <Button look="quiet" onClick={cancel}>
          Cancel
        </Button>
      }
    >
      <TextField label="Title" autoFocus {...form.field('title')} />
      <MarkdownField label="Description" hint="Markdown is supported." {...form.field('description')} />
      {replaces && (
        <p className="text-sm text-warn">Save again to replace the other description with yours.</p>
      )}
      <BranchField
        label="Base branch"
        hint="Approvals given for another base branch no longer count."
        placeholder={baseBranch}
        repositoryId={repository.id}
        field={form.field('base')}
      />
    </Form>
  );
}
