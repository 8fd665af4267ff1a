/** Leads to the conflicts, for whoever may resolve them here. */
import { ButtonLink } from '../../../components/button.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

export function ResolveLink({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, id, mergeability } = pullRequest;
  if (mergeability !== 'conflicts' || !allowedActions.includes('merge')) return null;
  return (
    <p className="mt-3">
      <ButtonLink
        to="/pull-requests/$pullRequestId"
        params={{ pullRequestId: id }}
        search={{ view: 'conflicts' }}
      >
        Resolve conflicts
      </ButtonLink>
    </p>
  );
}
