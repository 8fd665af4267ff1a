/** Changes the title and the description. */
import { call } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { TextAreaField, TextField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type PullRequest, useShowPullRequest } from '../../../parts/pull-request/pull-request-data.ts';

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
  const { description, id, title } = pullRequest;
  const form = useForm(
    { title, description },
    async (values) => {
      showPullRequest(await call('change-pull-request', { pullRequestId: id, ...values }));
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
      <TextAreaField label="Description" hint="Markdown is supported." {...form.field('description')} />
    </Form>
  );
}
