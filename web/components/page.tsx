/** The parts of every page: title with actions, sections, and empty, loading and error states. */
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { ApiProblem, Unreachable } from '../api/client.ts';
import { Button } from './button.tsx';

export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <div className="mx-auto w-full max-w-4xl px-4 py-6 sm:px-8 sm:py-10">
      <header className="mb-6">
        <div className="flex min-h-9 items-center justify-between gap-4">
          <h1 className="min-w-0 text-xl font-semibold wrap-anywhere">{title}</h1>
          {actions && <div className="flex shrink-0 gap-2">{actions}</div>}
        </div>
        {lead && <p className="mt-0.5 max-w-2xl text-sm text-pretty wrap-anywhere text-quiet">{lead}</p>}
      </header>
      {children}
    </div>
  );
}

export function Section({
  title,
  lead,
  isBeside = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** The title is beside the content where the window is wide: for pages wider than a form. */
  isBeside?: boolean;
  children: ReactNode;
}) {
  const columns = isBeside ? 'lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8' : '';
  return (
    <section className={`mb-10 grid grid-cols-1 gap-3 ${columns}`}>
      <div>
        <h2 className="text-base font-semibold">{title}</h2>
        {lead && <p className="mt-0.5 text-sm text-pretty text-quiet">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

export function Card({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`rounded-xl border border-line bg-raised p-5 ${className}`}>{children}</div>;
}

/** An empty list, and what to do about it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-2 rounded-xl border border-dashed border-strong-line/60 px-6 py-12 text-center">
      <p className="font-semibold">{title}</p>
      {children && <p className="max-w-md text-sm text-pretty wrap-anywhere text-quiet">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** Shown when a list is longer than what is loaded. */
export function CutShort({ nextCursor, shown }: { nextCursor: string | null; shown: number }) {
  if (nextCursor === null) return null;
  return <p className="mt-3 text-center text-sm text-quiet">Showing the first {shown}.</p>;
}

/** Loads the next page of a list, where there is one. */
export function ShowMore(props: {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
}) {
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = props.pages;
  if (!hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}

/** A skeleton that reserves the space, so that nothing jumps when the content arrives. */
export function LoadingRows({ rows = 3 }: { rows?: number }) {
  return (
    <div role="status" className="grid gap-px overflow-hidden rounded-xl border border-line bg-line">
      <span className="sr-only">Loading</span>
      <div className="hidden h-8 bg-sunken sm:block" />
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these rows are all alike and never change places.
        <div key={index} className="flex h-32 items-center gap-4 bg-raised px-4 sm:h-[3.75rem]">
          <div className="h-3 w-1/3 animate-pulse rounded bg-line" />
          <div className="h-3 w-1/5 animate-pulse rounded bg-line" />
        </div>
      ))}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: Error; onRetry?(): void }) {
  const requestId = error instanceof ApiProblem && error.status >= 500 ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="grid justify-items-center gap-2 rounded-xl border border-line px-6 py-12 text-center"
    >
      <p className="font-semibold">{error instanceof Unreachable ? 'No connection' : 'Couldn’t load this'}</p>
      <p className="max-w-md text-sm text-quiet">{error.message}</p>
      {requestId && <p className="font-mono text-xs text-quiet">Request {requestId}</p>}
      {onRetry && (
        <Button className="mt-2" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
