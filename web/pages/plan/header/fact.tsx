/** One line of facts about a plan, each with an icon. */
import type { ReactNode } from 'react';

export function FactLine({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-x-5 gap-y-1.5">{children}</div>;
}

export function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-2">
      <span aria-hidden="true" className="flex h-5 items-center [&>svg]:size-4">
        {icon}
      </span>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">{children}</div>
    </div>
  );
}

export function TextButton(props: { children: ReactNode; onClick(): void; 'aria-expanded'?: boolean }) {
  return <button type="button" {...props} className="rounded font-medium text-accent hover:underline" />;
}
