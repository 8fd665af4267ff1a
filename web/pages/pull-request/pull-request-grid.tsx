/** The grid of a pull request's page: the header and every view end at the same right edge. Files use the whole window. */
import type { ReactNode } from 'react';

export function PullRequestGrid(props: { isWide: boolean; className: string; children: ReactNode }) {
  const { children, className, isWide } = props;
  return (
    // The left edge stays where it is when another view is opened.
    <div className="mx-auto max-w-[120rem] px-4 sm:px-6">
      <div className={`grid grid-cols-1 ${isWide ? '' : 'max-w-6xl'} ${className}`}>{children}</div>
    </div>
  );
}
