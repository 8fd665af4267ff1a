/** Says why nothing can be pushed to the repository, as far as that is known, and what to set where. */
import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/queries.ts';
import { Notice } from '../../../components/notice.tsx';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';

type Problem = NonNullable<PullRequest['pushProblem']>;

const MISSING: Record<Problem['address'], { why: string; what: string }> = {
  https: {
    why: 'is fetched without a credential',
    what: 'a user name and an access token that can write',
  },
  http: { why: 'is fetched without a credential', what: 'a user name and a password that can write' },
  ssh: { why: 'has no SSH key', what: 'an SSH key that can write, such as a deploy key' },
  git: {
    why: 'has a git:// address, which can only be read',
    what: 'an https or SSH address, with a credential that can write',
  },
  local: { why: 'can’t be written to', what: 'another folder' },
};

export function PushProblem({ problem, pullRequest }: { problem: Problem; pullRequest: PullRequest }) {
  const { role } = useSession();
  const { id: repositoryId, name } = pullRequest.repository;
  const isAdmin = role === 'admin' || role === 'owner';
  const { address, reason } = problem;
  if (reason === 'refused' && address === 'local')
    return (
      <Notice kind="warn">
        The last push to {name} was refused. Ask the operator to let the user that runs Countersign own the
        folder and write to it.
      </Notice>
    );
  const settings = (
    <Link to="/repositories/$repositoryId" params={{ repositoryId }} className="rounded underline">
      settings of the repository
    </Link>
  );
  if (reason === 'refused')
    return (
      <Notice kind="warn">
        The server doesn’t let the credential of {name} push, so nothing can be merged.{' '}
        {isAdmin ? <>Set another in the {settings}</> : 'Ask an admin to set another'}, or give this one write
        access on the server.
      </Notice>
    );
  const { what, why } = MISSING[address];
  return (
    <Notice kind="warn">
      {name} {why}, so nothing can be merged.{' '}
      {isAdmin ? (
        <>
          Set {what} in the {settings}.
        </>
      ) : (
        `Ask an admin to set ${what}.`
      )}
    </Notice>
  );
}
