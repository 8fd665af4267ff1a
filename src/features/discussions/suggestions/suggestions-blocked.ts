/** Whether the caller may apply suggestions of a pull request here, and if not, why. */
import type { Context } from '../../../context.ts';
import { hasRole } from '../../../platform/core/operations/actor.ts';
import { type FoundPullRequest, protectedBecause } from '../../pull-requests/index.ts';
import { selectHostKind } from './suggestion-store.ts';

export async function suggestionsBlockedBecause(
  { actor, db }: Pick<Context, 'actor' | 'db'>,
  pullRequest: FoundPullRequest,
): Promise<string | null> {
  const { head_branch: branch, organization_id: organizationId, origin, state } = pullRequest;
  if (origin !== 'git') return onHost(await selectHostKind(db, pullRequest.repository_id));
  if (actor.kind !== 'session' || !hasRole(actor.role, 'member'))
    return 'Only members can apply suggestions.';
  if (state !== 'open' && state !== 'draft')
    return 'Suggestions can only be applied while the pull request is open.';
  const scope = { organizationId, repositoryId: pullRequest.repository_id };
  const why = await protectedBecause(db, scope, branch);
  return why && `Suggestions can’t be applied to this branch. ${why}`;
}

/** Each is posted as the host's own kind, where the host has one. */
function onHost(kind: Awaited<ReturnType<typeof selectHostKind>>): string {
  switch (kind) {
    case 'github':
      return 'Apply it on GitHub.';
    case 'gitlab':
      return 'Apply it on GitLab.';
    case 'gitea':
      return 'Gitea can’t apply suggestions: change these lines in the branch.';
    default:
      return 'Apply it on the code host.';
  }
}
