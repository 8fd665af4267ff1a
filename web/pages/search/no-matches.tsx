/** A search that found nothing, and why that may be. */
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/page.tsx';
import { formatCount } from '../../parts/fields/format-amounts.ts';
import type { SearchSummary } from './use-found-everywhere.ts';

export function NoMatches({ isNarrowed, summary }: { summary: SearchSummary; isNarrowed: boolean }) {
  const { leftOut, searched } = summary;
  if (searched === 0 && leftOut.length === 0 && !isNarrowed)
    return (
      <EmptyState title="No repositories yet">
        There is no code to search. Go to{' '}
        <Link to="/repositories" className="text-accent underline underline-offset-2">
          Repositories
        </Link>{' '}
        to see how they are added.
      </EmptyState>
    );
  return (
    <EmptyState title="No matches">
      {[`Searched ${formatCount(searched, 'repository', 'repositories')}.`, ...leftOut].join(' ')}
    </EmptyState>
  );
}
