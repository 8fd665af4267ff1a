/** Confirms the deletion of a team, and says what it is used for. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { operationQuery } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { useToast } from '../../components/toast.tsx';
import type { TeamSummary } from '../../parts/reviewers/reviewer-choices.tsx';

export function DeleteTeam(props: { team: TeamSummary; onClose(): void; onDone(): void }) {
  const { onClose, onDone, team } = props;
  const toast = useToast();
  const { data } = useQuery(operationQuery('get-team', { teamId: team.id }));
  const remove = useMutation({
    mutationFn: () => call('delete-team', { teamId: team.id }),
    onSuccess() {
      toast(`${team.name} deleted`);
      onDone();
    },
  });
  const waiting = data?.reviewRequests ?? 0;
  return (
    <ConfirmDialog
      open
      title={`Delete ${team.name}?`}
      description={`${describeWaiting(waiting)} Paths that it owns in CODEOWNERS will have no owner. Its members stay in the organization.`}
      action="Delete team"
      busy={remove.isPending}
      problem={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    />
  );
}

function describeWaiting(count: number): string {
  if (count === 0) return 'No pull request waits for its review.';
  return count === 1
    ? '1 pull request waits for its review and will no longer.'
    : `${count} pull requests wait for its review and will no longer.`;
}
