/** Shown in place of the comments while they load. */

const MAX_CARDS = 3;

export function CommentsSkeleton({ count }: { count: number }) {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">Loading comments</span>
      {Array.from({ length: Math.min(Math.max(count, 1), MAX_CARDS) }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these cards are all alike and never change places.
        <div key={index} className="grid gap-3 rounded-xl border border-line bg-raised p-3">
          <div className="flex items-center gap-2">
            <div className="size-6 animate-pulse rounded-full bg-line" />
            <div className="h-3 w-24 animate-pulse rounded bg-line" />
          </div>
          <div className="h-3 w-full animate-pulse rounded bg-line" />
          <div className="h-3 w-3/5 animate-pulse rounded bg-line" />
        </div>
      ))}
    </div>
  );
}

/** As high as the filter that replaces it. */
export function FilterSkeleton() {
  return <div className="h-8 flex-1 animate-pulse rounded-lg bg-sunken" />;
}
