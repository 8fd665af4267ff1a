/** Leads to the conflicts, for whoever may resolve them here. */
import { ButtonLink } from '../../../components/button.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { isMarked } from '../header/resolve-commands.ts';

export function ResolveLink({ pullRequest }: { pullRequest: PullRequest }) {
  const { allowedActions, conflicts, id, mergeability } = pullRequest;
  if (mergeability !== 'conflicts' || !allowedActions.includes('merge')) return null;
  if (!conflicts?.files.every(isMarked)) return null;
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
