/** Members and their accounts at the provider: who is linked, who was suspended, and who may link. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CallOutput, call } from '../../api/client.ts';
import { useOperationPages, useSession } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorState, LoadingRows, Section, ShowMore } from '../../components/page.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';

type Member = CallOutput<'list-identities'>['members'][number];

export function LinkedMembers() {
  const client = useQueryClient();
  const session = useSession();
  const toast = useToast();
  const list = useOperationPages('list-identities', {});
  const members = list.data?.pages.flatMap((page) => page.members);
  const settle = {
    onError: (error: Error) => toast(error.message, 'danger'),
    onSettled: () => client.invalidateQueries({ queryKey: ['list-identities'] }),
  };
  const allow = useMutation({
    mutationFn: ({ userId }: Member) => call('allow-identity-link', { userId }),
    onSuccess: (_, { name }) => toast(`${name} can link for 7 days`),
    ...settle,
  });
  const unlink = useMutation({
    mutationFn: ({ userId }: Member) => call('unlink-identity', { userId }),
    onSuccess: (_, { name }) => toast(`${name} is unlinked`),
    ...settle,
  });
  const columns: Column<Member>[] = [
    {
      name: 'Person',
      wide: true,
      cell: ({ email, name, suspendedAt }) => (
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-medium wrap-anywhere">{name}</span>
            {suspendedAt && <Badge kind="warn">Suspended</Badge>}
          </div>
          <div className="text-xs wrap-anywhere text-quiet">{email}</div>
        </div>
      ),
    },
    {
      name: 'At the provider',
      cell: ({ identity, linkAllowedUntil }) =>
        identity ? (
          <div className="min-w-0 text-sm">
            <p className="wrap-anywhere">{identity.email}</p>
            <p className="text-xs text-quiet">
              Confirmed <Time at={identity.confirmedAt} />
            </p>
          </div>
        ) : (
          <span className="text-quiet">
            {linkAllowedUntil ? 'Can link at the next sign-in' : 'Not linked'}
          </span>
        ),
    },
    {
      name: 'Change',
      hidden: true,
      cell: (member) => {
        if (member.identity) {
          return (
            member.userId !== session.user.id && (
              <Button
                look="danger"
                size="small"
                aria-label={`Unlink ${member.name}`}
                onClick={() => unlink.mutate(member)}
              >
                Unlink
              </Button>
            )
          );
        }
        return (
          !member.linkAllowedUntil && (
            <Button
              size="small"
              aria-label={`Allow to link: ${member.name}`}
              onClick={() => allow.mutate(member)}
            >
              Allow to link
            </Button>
          )
        );
      },
    },
  ];
  return (
    <Section
      title="Members"
      lead="An account that existed before is never linked by its email address alone. Its owner links it in Settings → Account, or you allow the link here for 7 days. Unlinking also ends a suspension."
    >
      {list.error && !members && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {!members && !list.error && <LoadingRows />}
      {members && (
        <Table
          label="Members and single sign-on"
          columns={columns}
          rows={members}
          keyOf={({ userId }) => userId}
        />
      )}
      <ShowMore pages={list} />
    </Section>
  );
}
