/** One line of what is known about a plan: an icon and a text. */
import type { ReactNode } from 'react';

export const ICON = 'mt-[0.15rem] size-4 shrink-0';

export function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex gap-2.5">
      <span aria-hidden="true">{icon}</span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">{children}</div>
    </div>
  );
}

export function TextButton({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" onClick={onClick} className="rounded font-medium text-accent hover:underline">
      {children}
    </button>
  );
}
