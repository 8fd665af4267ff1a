/** The skeleton of a loading text. */

const WIDTHS = ['w-2/5 h-6', 'w-full', 'w-11/12', 'w-4/5', 'w-1/3 h-5 mt-5', 'w-full', 'w-10/12', 'w-3/5'];

export function TextSkeleton() {
  return (
    <div role="status" className="grid gap-3.5 py-2">
      <span className="sr-only">Loading</span>
      {WIDTHS.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these lines never change places.
        <div key={index} className={`h-3.5 animate-pulse rounded bg-line ${width}`} />
      ))}
    </div>
  );
}
