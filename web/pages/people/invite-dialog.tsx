/** The dialog that invites a person and shows the link once. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../../api/client.ts';
import { useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SecretText, SelectField, TextField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { ROLES, type Role } from './roles.ts';

export function InviteDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const [made, setMade] = useState<CallOutput<'invite-member'>>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      title={made ? 'Share this link' : 'Invite people'}
      description={
        made
          ? `Only for ${made.invitation.email}. Single use, expires in 7 days, shown only once.`
          : undefined
      }
      onClose={close}
    >
      {made ? (
        <div className="grid gap-4">
          <div className="flex items-center gap-2">
            <SecretText label="Invitation link" text={made.link} />
            <CopyButton text={made.link} name="Copy link" />
          </div>
          <div className="flex justify-end">
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <InviteForm onMade={setMade} />
      )}
    </Dialog>
  );
}

function InviteForm({ onMade }: { onMade(made: CallOutput<'invite-member'>): void }) {
  const client = useQueryClient();
  const session = useSession();
  const form = useForm({ email: '', role: 'member' }, async ({ email, role }) => {
    onMade(await call('invite-member', { email, role: role as Role }));
    void client.invalidateQueries({ queryKey: ['list-invitations'] });
  });
  return (
    <Form form={form} action="Create invitation link">
      <TextField label="Email" type="email" autoComplete="off" autoFocus {...form.field('email')} />
      <SelectField label="Role" {...form.field('role')}>
        {ROLES.filter(({ role }) => role !== 'owner' || session.role === 'owner').map(({ role, means }) => (
          <option key={role} value={role}>
            {role}: {means}
          </option>
        ))}
      </SelectField>
    </Form>
  );
}
