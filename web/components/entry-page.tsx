/** Pages outside the frame: setup, sign-in, invitation, errors. */
import { type ReactNode, useEffect } from 'react';

export function EntryPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <main className="grid min-h-dvh place-items-start justify-center bg-sunken px-4 py-[max(2rem,10dvh)]">
      <div className="w-[min(26rem,calc(100vw-2rem))]">
        <div className="mb-6 flex items-center justify-center gap-2.5 text-lg font-semibold">
          <img src="/icon.svg" alt="" width="28" height="28" className="size-7" />
          Countersign
        </div>
        <div className="rounded-2xl border border-line bg-raised p-6 shadow-sm">
          <h1 className="text-lg font-semibold wrap-anywhere">{title}</h1>
          {lead && <p className="mt-1 text-sm text-pretty wrap-anywhere text-quiet">{lead}</p>}
          <div className="mt-5">{children}</div>
        </div>
      </div>
    </main>
  );
}
