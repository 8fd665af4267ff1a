/** The grid of a pull request's page: the header and every view end at the same right edge. Files use the whole window. */
import type { ReactNode } from 'react';

export function PullRequestGrid(props: {
  isWide: boolean;
  className: string;
  /** Stays at the top of the window: in the grid it would end with its row. */
  bar?: ReactNode;
  children: ReactNode;
}) {
  const { bar, children, className, isWide } = props;
  return (
    // The left edge stays where it is when another view is opened.
    <div className="mx-auto max-w-[120rem] px-4 sm:px-6">
      {bar}
      <div className={`grid grid-cols-1 ${isWide ? '' : 'max-w-6xl'} ${className}`}>{children}</div>
    </div>
  );
}
