/** Settings → People: members with their roles, and invitations. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallOutput, call } from '../api/client.ts';
import { operationQuery, sessionQuery, useOptimistic, useSession } from '../api/queries.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { SecretText, Select, SelectField, TextField } from '../components/field.tsx';
import { Form, useForm } from '../components/form.tsx';
import { CutShort, EmptyState, ErrorState, LoadingRows, Page, Section } from '../components/page.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';

type Member = CallOutput<'list-members'>['members'][number];
type Invitation = CallOutput<'list-invitations'>['invitations'][number];
type Role = Member['role'];

const ROLE_WITH_ARTICLE: Record<Role, string> = {
  viewer: 'a viewer',
  member: 'a member',
  admin: 'an admin',
  owner: 'an owner',
};

const ROLES: { role: Role; means: string }[] = [
  { role: 'viewer', means: 'can read everything' },
  { role: 'member', means: 'can also post plans and comments' },
  { role: 'admin', means: 'can also manage people and settings' },
  { role: 'owner', means: 'can also manage owners' },
];

export function PeoplePage() {
  const [inviting, setInviting] = useState(false);
  const members = useQuery(operationQuery('list-members', { limit: 200 }));
  return (
    <Page
      title="People"
      lead="Role changes take effect immediately, including for sessions and API keys."
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          Invite people
        </Button>
      }
    >
      <Section title="Members">
        <Members />
      </Section>
      {/* Rendered after the members, which would otherwise push it down as they load. */}
      {!members.isPending && (
        <Section title="Invitations">
          <Invitations />
        </Section>
      )}
      <InviteDialog open={inviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function Members() {
  const client = useQueryClient();
  const session = useSession();
  const toast = useToast();
  const [leaving, setLeaving] = useState<Member>();
  const { data, error, refetch } = useQuery(operationQuery('list-members', { limit: 200 }));
  const change = useOptimistic({
    operation: 'change-member',
    list: 'list-members',
    expect: (before, { userId, role, active }) => ({
      ...before,
      members: before.members.map((member) =>
        member.userId === userId
          ? {
              ...member,
              role: role ?? member.role,
              deactivatedAt:
                active === undefined ? member.deactivatedAt : active ? null : new Date().toISOString(),
            }
          : member,
      ),
    }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;

  const apply = (member: Member, to: { role?: Role; active?: boolean }, said: string) =>
    change.mutate(
      { userId: member.userId, ...to },
      {
        onSuccess: () => {
          toast(said);
          // The person changed their own role, and with it what they may do.
          if (member.userId === session.user.id) void client.invalidateQueries(sessionQuery);
        },
        onError: (problem) => toast(problem.message, 'danger'),
      },
    );
  const columns: Column<Member>[] = [
    {
      name: 'Person',
      wide: true,
      cell: (member) => (
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere font-medium">{member.name}</span>
            {member.userId === session.user.id && <Badge kind="accent">You</Badge>}
            {member.deactivatedAt && <Badge>Deactivated</Badge>}
          </div>
          <div className="text-xs wrap-anywhere text-quiet">{member.email}</div>
        </div>
      ),
    },
    {
      name: 'Role',
      cell: (member) => (
        <Select
          look="small"
          aria-label={`Role of ${member.name}`}
          value={member.role}
          disabled={member.deactivatedAt !== null || (member.role === 'owner' && session.role !== 'owner')}
          onChange={(event) => {
            const role = event.target.value as Role;
            apply(member, { role }, `${member.name} is now ${ROLE_WITH_ARTICLE[role]}`);
          }}
        >
          {ROLES.map(({ role }) => (
            <option key={role} value={role} disabled={role === 'owner' && session.role !== 'owner'}>
              {role}
            </option>
          ))}
        </Select>
      ),
    },
    { name: 'Joined', cell: (member) => <Time at={member.createdAt} /> },
    {
      name: 'Access',
      hidden: true,
      cell: (member) =>
        member.deactivatedAt ? (
          <Button
            size="small"
            aria-label={`Reactivate ${member.name}`}
            onClick={() => apply(member, { active: true }, `${member.name} reactivated`)}
          >
            Reactivate
          </Button>
        ) : (
          <Button
            look="danger"
            size="small"
            aria-label={`Deactivate ${member.name}`}
            onClick={() => setLeaving(member)}
          >
            Deactivate
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table label="Members" columns={columns} rows={data.members} keyOf={(member) => member.userId} />
      <CutShort nextCursor={data.nextCursor} shown={data.members.length} />
      <ConfirmDialog
        open={leaving !== undefined}
        title={`Deactivate ${leaving?.name ?? ''}?`}
        description="They’re signed out and their API keys stop working immediately. Their plans and comments stay. You can reactivate them later; they’ll need new keys."
        action="Deactivate"
        busy={change.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() => {
          apply(leaving!, { active: false }, `${leaving!.name} deactivated`);
          setLeaving(undefined);
        }}
      />
    </>
  );
}

function Invitations() {
  const toast = useToast();
  const { data, error, refetch } = useQuery(operationQuery('list-invitations', { limit: 200 }));
  const revoke = useOptimistic({
    operation: 'revoke-invitation',
    list: 'list-invitations',
    expect: (before, { invitationId }) => ({
      ...before,
      invitations: before.invitations.map((each) =>
        each.id === invitationId ? { ...each, revokedAt: new Date().toISOString() } : each,
      ),
    }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows />;
  if (data.invitations.length === 0)
    return (
      <EmptyState title="No pending invitations">
        An invitation is a single-use link for one person. It expires in 7 days.
      </EmptyState>
    );
  const revokeInvitation = (invitation: Invitation) =>
    revoke.mutate(
      { invitationId: invitation.id },
      {
        onSuccess: () => toast(`Invitation for ${invitation.email} revoked`),
        onError: (problem) => toast(problem.message, 'danger'),
      },
    );
  const columns: Column<Invitation>[] = [
    {
      name: 'Email',
      wide: true,
      cell: (invitation) => (
        <div className="min-w-0">
          <div className="font-medium wrap-anywhere">{invitation.email}</div>
          <div className="text-xs text-quiet">
            {invitation.role}, invited by {invitation.invitedBy.name}
          </div>
        </div>
      ),
    },
    { name: 'Sent', cell: (invitation) => <Time at={invitation.createdAt} /> },
    {
      name: 'State',
      cell: (invitation) => {
        if (invitation.acceptedAt) return <Badge kind="good">Accepted</Badge>;
        if (invitation.revokedAt) return <Badge>Revoked</Badge>;
        if (new Date(invitation.expiresAt) < new Date()) return <Badge>Expired</Badge>;
        return <Badge kind="accent">Pending</Badge>;
      },
    },
    {
      name: 'Actions',
      hidden: true,
      cell: (invitation) =>
        !invitation.acceptedAt &&
        !invitation.revokedAt &&
        new Date(invitation.expiresAt) > new Date() && (
          <Button
            look="danger"
            size="small"
            aria-label={`Revoke the invitation for ${invitation.email}`}
            onClick={() => revokeInvitation(invitation)}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table
        label="Invitations"
        columns={columns}
        rows={data.invitations}
        keyOf={(invitation) => invitation.id}
      />
      <CutShort nextCursor={data.nextCursor} shown={data.invitations.length} />
    </>
  );
}

function InviteDialog({ open, onClose }: { open: boolean; onClose(): void }) {
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
