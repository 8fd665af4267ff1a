/** Links a pull request manually; agents link theirs over the API. */
import { call } from '../../../api/client.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { SelectField, TextField } from '../../../components/field.tsx';
import { Form, useForm } from '../../../components/form.tsx';
import { useToast } from '../../../components/toast.tsx';
import { type Plan, useShowPlan } from '../plan-data.ts';

export function LinkPullRequest(props: { plan: Plan; open: boolean; onClose(): void }) {
  const { onClose, open, plan } = props;
  return (
    <Dialog
      open={open}
      title="Link a pull request"
      description={
        plan.status === 'pending'
          ? 'This marks the pending plan as implemented. It still needs an approval.'
          : 'The status of the plan doesn’t change.'
      }
      onClose={onClose}
    >
      <LinkForm plan={plan} onClose={onClose} />
    </Dialog>
  );
}

function LinkForm({ plan, onClose }: { plan: Plan; onClose(): void }) {
  const showPlan = useShowPlan();
  const toast = useToast();
  const form = useForm(
    { repoName: plan.repoNames[0] ?? '', prNumber: '' },
    async ({ prNumber, repoName }) => {
      const number = Number(prNumber.replace(/^#/, '') || Number.NaN);
      const { seriesId } = plan;
      showPlan(
        await call('link-pull-request', { seriesId, prNumber: number, ...(repoName.trim() && { repoName }) }),
      );
      toast(`Linked #${number}.`);
      onClose();
    },
  );
  return (
    <Form form={form} action="Link">
      {plan.repoNames.length > 1 ? (
        <SelectField label="Repository" {...form.field('repoName')}>
          {plan.repoNames.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      ) : (
        <TextField label="Repository" placeholder="owner/name" {...form.field('repoName')} />
      )}
      <TextField label="Number" inputMode="numeric" placeholder="42" autoFocus {...form.field('prNumber')} />
    </Form>
  );
}
