/** The members of the organization: change roles, deactivate and reactivate. */
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { sessionQuery, useOperationPages, useOptimistic, useSession } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { ROLE_WITH_ARTICLE, ROLES, type Role } from './roles.ts';

type Member = CallOutput<'list-members'>['members'][number];

export function Members() {
  const client = useQueryClient();
  const session = useSession();
  const toast = useToast();
  const [leaving, setLeaving] = useState<Member>();
  const list = useOperationPages('list-members', {});
  const members = list.data?.pages.flatMap((page) => page.members);
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
  if (list.error && !members) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!members) return <LoadingRows />;

  const apply = (member: Member, to: { role?: Role; active?: boolean }, said: string, undo?: () => void) =>
    change.mutate(
      { userId: member.userId, ...to },
      {
        onSuccess: () => {
          toast(said, 'plain', undo);
          // The user changed their own role, and with it their permissions.
          if (member.userId === session.user.id) void client.invalidateQueries(sessionQuery);
        },
        onError: (problem) => toast(problem.message, 'danger'),
      },
    );
  const setRole = (member: Member, role: Role, undo?: () => void) =>
    // A user who lowers their own role may not be able to restore it.
    apply(
      member,
      { role },
      `${member.name} is now ${ROLE_WITH_ARTICLE[role]}`,
      member.userId === session.user.id ? undefined : undo,
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
            {!member.deactivatedAt && member.suspendedAt && <Badge kind="warn">Suspended</Badge>}
          </div>
          <div className="text-xs wrap-anywhere text-quiet">{member.email}</div>
        </div>
      ),
    },
    {
      name: 'Role',
      cell: (member) => (
        <RoleSelect
          member={member}
          isOwner={session.role === 'owner'}
          onChange={(role) => setRole(member, role, () => setRole(member, member.role))}
        />
      ),
    },
    { name: 'Joined', cell: (member) => <Time at={member.createdAt} /> },
    {
      name: 'Access',
      hidden: true,
      cell: (member) => {
        if (member.deactivatedAt)
          return (
            member.can.reactivate && (
              <Button
                size="small"
                aria-label={`Reactivate ${member.name}`}
                onClick={() => apply(member, { active: true }, `${member.name} reactivated`)}
              >
                Reactivate
              </Button>
            )
          );
        return (
          member.can.deactivate && (
            <Button
              look="danger"
              size="small"
              aria-label={`Deactivate ${member.name}`}
              onClick={() => setLeaving(member)}
            >
              Deactivate
            </Button>
          )
        );
      },
    },
  ];
  return (
    <>
      <Table label="Members" columns={columns} rows={members} keyOf={(member) => member.userId} />
      <ShowMore pages={list} />
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

function RoleSelect(props: { member: Member; isOwner: boolean; onChange(role: Role): void }) {
  const { isOwner, member, onChange } = props;
  const id = useId();
  const why = whyFixed(member, isOwner);
  return (
    <div className="grid gap-1">
      <Select
        look="small"
        aria-label={`Role of ${member.name}`}
        aria-describedby={why && id}
        value={member.role}
        disabled={why !== undefined}
        onChange={(event) => onChange(event.target.value as Role)}
      >
        {ROLES.map(({ role }) => (
          <option
            key={role}
            value={role}
            disabled={role !== member.role && !member.can.changeRoleTo.includes(role)}
          >
            {role}
          </option>
        ))}
      </Select>
      {why && (
        <p id={id} className="w-44 text-xs whitespace-normal text-quiet">
          {why}
        </p>
      )}
    </div>
  );
}

/** Why the role can't be changed; undefined if it can. */
function whyFixed({ can, deactivatedAt }: Member, isOwner: boolean): string | undefined {
  if (deactivatedAt && can.reactivate) return 'Reactivate to change the role.';
  if (can.changeRoleTo.length > 0) return undefined;
  return isOwner ? 'The only owner. Make someone else an owner first.' : 'Only owners can change this role.';
}
