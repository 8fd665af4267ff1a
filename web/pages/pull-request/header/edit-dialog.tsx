/** Changes the title, the description and the base branch. */
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { MarkdownField, TextField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';
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
  const { baseBranch, description, id, repository, title } = pullRequest;
  const form = useForm(
    { title, description, base: baseBranch },
    async ({ base, ...texts }) => {
      const moved = base.trim() !== baseBranch && { base: base.trim() };
      showPullRequest(await call('change-pull-request', { pullRequestId: id, ...texts, ...moved }));
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
