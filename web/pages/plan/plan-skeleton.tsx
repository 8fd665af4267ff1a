/** The skeleton of a loading plan, which keeps the layout stable. */
import { TextSkeleton } from './text-skeleton.tsx';

export function PlanSkeleton() {
  return (
    <div aria-hidden={false}>
      <div className="flex h-14 items-center gap-3 border-b border-line px-4 sm:px-6">
        <div className="h-4 w-64 max-w-[60vw] animate-pulse rounded bg-line" />
      </div>
      <div className="grid gap-3 px-4 pt-4 sm:px-6">
        {['w-80', 'w-56', 'w-48'].map((width) => (
          <div key={width} className={`h-3.5 max-w-[70vw] animate-pulse rounded bg-line ${width}`} />
        ))}
        <div className="mx-auto mt-8 w-full max-w-[46rem]">
          <TextSkeleton />
        </div>
      </div>
    </div>
  );
}
