/** Changes the title, the description and the base branch. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { hasDraft, keepDraft, readDraft } from '../../../components/drafts.ts';
import { MarkdownField, TextField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import {
  type PullRequest,
  pullRequestQuery,
  useShowPullRequest,
} from '../../../parts/pull-request/pull-request-data.ts';
import { BranchField } from '../../../parts/pull-requests/branch-field.tsx';
import { TextConflict, useTextConflict } from './text-conflict.tsx';

export function EditDialog(props: { pullRequest: PullRequest; open: boolean; onClose(): void }) {
  const [hasConflict, setConflict] = useState(false);
  return (
    <Dialog open={props.open} title="Edit pull request" wide={hasConflict} onClose={props.onClose}>
      <EditForm {...props} onConflict={setConflict} />
    </Dialog>
  );
}

function EditForm(props: {
  pullRequest: PullRequest;
  onClose(): void;
  onConflict(hasConflict: boolean): void;
}) {
  const { onClose, onConflict, pullRequest } = props;
  const showPullRequest = useShowPullRequest();
  const toast = useToast();
  const client = useQueryClient();
  const { baseBranch, description, id, repository, title } = pullRequest;
  const draft = `${id}:edit`;
  const seenDraft = `${draft}:seen`;
  // Others may tick a task or edit it meanwhile: only what was changed here is sent. What was typed and not saved belongs to the
  // description of that time.
  const [seen, setSeen] = useState(() => ({
    title,
    description: (hasDraft(draft) ? readDraft(seenDraft) : undefined) ?? description,
  }));
  const form = useForm(
    { title, description: seen.description, base: baseBranch },
    async (values) => {
      const base = values.base.trim();
      try {
        const changed = await call('change-pull-request', {
          pullRequestId: id,
          ...(values.title !== seen.title && { title: values.title }),
          ...(values.description !== seen.description && {
            description: values.description,
            expectedDescription: seen.description,
          }),
          ...(base !== baseBranch && { base }),
        });
        showPullRequest(changed);
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 409) await readOther();
        throw error;
      }
      keepDraft(seenDraft, undefined);
      toast('Pull request updated.');
      onClose();
    },
    draft,
  );
  const conflict = useTextConflict({
    text: form.values.description,
    set: (text) => form.set('description', text),
  });
  const readOther = async () => {
    const now = await client.fetchQuery({ ...pullRequestQuery(id), staleTime: 0 });
    if (now.description === seen.description) return;
    const saved = now.timeline.findLast(
      ({ data, kind }) =>
        kind === 'pull_request_edited' && (data as { fields?: string[] }).fields?.includes('description'),
    );
    conflict.show(now.description, saved?.actor.name ?? null);
    setSeen({ ...seen, description: now.description });
  };
  const isChanged = form.values.description !== seen.description;
  useEffect(
    () => keepDraft(seenDraft, isChanged ? seen.description : undefined),
    [isChanged, seen.description, seenDraft],
  );
  const hasConflict = conflict.other !== null;
  useEffect(() => {
    onConflict(hasConflict);
    return () => onConflict(false);
  }, [hasConflict, onConflict]);
  const cancel = () => {
    form.discard();
    keepDraft(seenDraft, undefined);
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
      <div className={`grid min-w-0 grid-cols-1 gap-4 ${hasConflict ? 'sm:grid-cols-2' : ''}`}>
        <MarkdownField label="Description" hint="Markdown is supported." {...form.field('description')} />
        <TextConflict conflict={conflict} />
      </div>
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
