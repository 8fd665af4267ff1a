/** Reserves the space of a pull request that is being loaded. */

export function PullRequestSkeleton() {
  return (
    <div role="status" className="mx-auto grid max-w-[100rem] gap-5 px-4 pt-6 sm:px-6">
      <span className="sr-only">Loading</span>
      <div className="grid gap-3">
        <div className="h-6 w-2/5 animate-pulse rounded bg-line" />
        <div className="h-4 w-3/5 animate-pulse rounded bg-line" />
      </div>
      <div className="h-9 border-b border-line" />
      <div className="h-64 animate-pulse rounded-xl bg-sunken" />
    </div>
  );
}
