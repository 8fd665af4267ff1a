/** Invitations: their status, and revoking them. */
import { useState } from 'react';
import type { CallOutput } from '../../api/client.ts';
import { useOperationPages, useOptimistic } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState, ErrorState, LoadingRows, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

type Invitation = CallOutput<'list-invitations'>['invitations'][number];

const MAIL_WORDS = { none: 'Pending', pending: 'Sending mail', sent: 'Pending, mailed', unclear: 'Pending' };

export function Invitations() {
  const toast = useToast();
  const [revoking, setRevoking] = useState<Invitation>();
  const list = useOperationPages('list-invitations', {});
  const invitations = list.data?.pages.flatMap((page) => page.invitations);
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
  if (list.error && !invitations)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (!invitations) return <LoadingRows />;
  if (invitations.length === 0)
    return (
      <EmptyState title="No pending invitations">
        An invitation is a single-use link for one person. It expires in 7 days.
      </EmptyState>
    );
  const columns: Column<Invitation>[] = [
    {
      name: 'Email',
      wide: true,
      cell: (invitation) => (
        <div className="min-w-0">
          <div className="font-medium wrap-anywhere">{invitation.email}</div>
          <div className="text-xs text-quiet">
            {invitation.role},{' '}
            {invitation.linkDomain
              ? `by the link for ${invitation.linkDomain}`
              : `invited by ${invitation.invitedBy.name}`}
          </div>
        </div>
      ),
    },
    { name: 'Created', cell: (invitation) => <Time at={invitation.createdAt} /> },
    {
      name: 'Status',
      cell: (invitation) => {
        if (invitation.acceptedAt) return <Badge kind="good">Accepted</Badge>;
        if (invitation.revokedAt) return <Badge>Revoked</Badge>;
        if (new Date(invitation.expiresAt) < new Date()) return <Badge>Expired</Badge>;
        if (invitation.mail === 'failed') return <Badge kind="warn">Mail failed</Badge>;
        return <Badge kind="accent">{MAIL_WORDS[invitation.mail ?? 'none']}</Badge>;
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
            onClick={() => setRevoking(invitation)}
          >
            Revoke
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table label="Invitations" columns={columns} rows={invitations} keyOf={(invitation) => invitation.id} />
      <ShowMore pages={list} />
      <ConfirmDialog
        open={revoking !== undefined}
        title={`Revoke the invitation for ${revoking?.email ?? ''}?`}
        description="The link stops working immediately. You can send a new invitation later."
        action="Revoke"
        busy={revoke.isPending}
        problem={revoke.error}
        onClose={() => {
          revoke.reset();
          setRevoking(undefined);
        }}
        onConfirm={() =>
          revoke.mutate(
            { invitationId: revoking!.id },
            {
              onSuccess: () => {
                toast(`Invitation for ${revoking!.email} revoked`);
                setRevoking(undefined);
              },
            },
          )
        }
      />
    </>
  );
}
