/** Reserves the space of a pull request that is being loaded. */
import { PullRequestGrid } from './pull-request-grid.tsx';

export function PullRequestSkeleton({ isWide }: { isWide: boolean }) {
  return (
    <PullRequestGrid isWide={isWide} className="gap-5 pt-6">
      <span role="status" className="sr-only">
        Loading
      </span>
      <div className="grid gap-3">
        <div className="h-6 w-2/5 animate-pulse rounded bg-line" />
        <div className="h-4 w-3/5 animate-pulse rounded bg-line" />
      </div>
      <div className="h-9 border-b border-line" />
      <div className="h-64 animate-pulse rounded-xl bg-sunken" />
    </PullRequestGrid>
  );
}
