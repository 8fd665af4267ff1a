/** The dialog that invites people by their addresses and shows each new link once. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, type CallOutput, call } from '../../api/client.ts';
import { useSession } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SecretText, SelectField, TextAreaField } from '../../components/field.tsx';
import { Form, useForm } from '../../components/form.tsx';
import { ROLES, type Role } from './roles.ts';
import { splitAddresses } from './split-addresses.ts';

type Invited = CallOutput<'invite-members'>['people'];

export function InviteDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const [invited, setInvited] = useState<Invited>();
  const close = () => {
    setInvited(undefined);
    onClose();
  };
  const made = invited?.filter(({ outcome }) => outcome === 'invited') ?? [];
  return (
    <Dialog
      open={open}
      title={invited ? titleOf(made.length) : 'Invite people'}
      description={invited ? descriptionOf(made) : undefined}
      onClose={close}
    >
      {invited ? <Result invited={invited} onClose={close} /> : <InviteForm onInvited={setInvited} />}
    </Dialog>
  );
}

function titleOf(count: number): string {
  if (count === 0) return 'Nobody new to invite';
  return count === 1 ? 'Share this link' : `${count} people invited`;
}

function descriptionOf(made: Invited): string | undefined {
  if (made.length === 0) return undefined;
  const isMailed = made.every(({ invitation }) => invitation?.mail);
  const links =
    made.length === 1
      ? `Only for ${made[0]!.email}. Single use, expires in 7 days, shown only once.`
      : 'Each link is for one address. Single use, expires in 7 days, shown only once.';
  return isMailed ? `${links} We also send it by mail.` : links;
}

function Result({ invited, onClose }: { invited: Invited; onClose(): void }) {
  const made = invited.filter(({ link }) => link !== null);
  const namesOf = (outcome: Invited[number]['outcome']) =>
    invited.filter((each) => each.outcome === outcome).map(({ email }) => email);
  return (
    <div className="grid grid-cols-1 gap-4">
      {made.length > 0 && (
        <ul
          aria-label="New invitations"
          className="grid max-h-[45dvh] grid-cols-1 gap-3 overflow-y-auto p-0.5"
        >
          {made.map(({ email, link }) => (
            <li key={email} className="grid grid-cols-1 gap-1">
              {made.length > 1 && <span className="text-sm wrap-anywhere">{email}</span>}
              <div className="flex items-center gap-2">
                <SecretText
                  label={made.length > 1 ? `Invitation link for ${email}` : 'Invitation link'}
                  text={link!}
                />
                <CopyButton text={link!} name={made.length > 1 ? `Copy link for ${email}` : 'Copy link'} />
              </div>
            </li>
          ))}
        </ul>
      )}
      <Unchanged title="Already invited" emails={namesOf('already_invited')}>
        Revoke the pending invitation to send another one.
      </Unchanged>
      <Unchanged title="Already members" emails={namesOf('already_member')}>
        If they are deactivated, reactivate them.
      </Unchanged>
      <div className="flex flex-wrap justify-end gap-2">
        {made.length > 1 && (
          <CopyButton
            text={made.map(({ email, link }) => `${email}\t${link}`).join('\n')}
            name="Copy all"
            label="Copy all"
          />
        )}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function Unchanged({ children, emails, title }: { title: string; emails: string[]; children: string }) {
  if (emails.length === 0) return null;
  return (
    <div className="text-sm">
      <h3 className="font-medium">{title}</h3>
      <p className="wrap-anywhere">{emails.join(', ')}</p>
      <p className="text-quiet">{children}</p>
    </div>
  );
}

function InviteForm({ onInvited }: { onInvited(invited: Invited): void }) {
  const client = useQueryClient();
  const session = useSession();
  const [sent, setSent] = useState<string[]>([]);
  const form = useForm({ emails: '', role: 'member' }, async ({ emails, role }) => {
    const addresses = splitAddresses(emails);
    setSent(addresses);
    const { people } = await call('invite-members', { emails: addresses, role: role as Role });
    onInvited(people);
    void client.invalidateQueries({ queryKey: ['list-invitations'] });
  });
  const count = splitAddresses(form.values.emails).length;
  return (
    <Form form={form} action={count > 1 ? `Invite ${count} people` : 'Invite'}>
      <TextAreaField
        label="Email addresses"
        hint="Separate them with commas, spaces or new lines. Up to 200."
        autoFocus
        {...form.field('emails')}
        error={problemsOf(form.problem, sent) ?? form.field('emails').error}
      />
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

/** Each address that is not one; undefined if that isn't the problem. */
function problemsOf(problem: Error | undefined, sent: string[]): string | undefined {
  if (!(problem instanceof ApiProblem)) return undefined;
  const wrong = problem.fields.flatMap(({ path }) => {
    const index = /^emails\[(\d+)\]$/.exec(path)?.[1];
    return index === undefined ? [] : [sent[Number(index)]];
  });
  if (wrong.length > 0)
    return `Nobody was invited. ${wrong.length === 1 ? 'Not an email address' : 'Not email addresses'}: ${wrong.join(', ')}`;
  return problem.fields.some(({ path }) => path === 'emails') ? 'Enter 1 to 200 email addresses.' : undefined;
}
