/** Says how a team differs from the team of a code host that it follows, and what to do about it. */
import { Link } from '@tanstack/react-router';
import type { TeamSummary } from '../../parts/reviewers/reviewer-choices.tsx';

const MAX_NAMED = 5;

export function HostTeamState({ codeHost }: { codeHost: NonNullable<TeamSummary['codeHost']> }) {
  const { id, problem, syncedAt, unlinked } = codeHost;
  if (problem !== null) return <p className="text-sm text-danger wrap-anywhere">{problem}</p>;
  if (syncedAt === null) return <p className="text-sm text-quiet">Its members are being read.</p>;
  if (unlinked.length === 0) return null;
  const rest = unlinked.length - MAX_NAMED;
  const names = unlinked.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return (
    <p className="text-sm text-quiet wrap-anywhere">
      Not linked to a member here: {names}.{' '}
      <Link
        to="/settings/code-hosts"
        search={{ host: id }}
        className="text-accent underline underline-offset-2"
      >
        Link accounts
      </Link>
    </p>
  );
}
