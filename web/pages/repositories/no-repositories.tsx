/** No repositories yet: what they are for, and both ways to add the first. */
import type { ReactNode } from 'react';
import { CommandLine } from '../../components/copy.tsx';
import { EmptyState } from '../../components/page.tsx';

/** `add` is there for those who may. */
export function NoRepositories({ add }: { add: ReactNode }) {
  if (!add)
    return (
      <EmptyState title="No repositories yet">
        Once an admin or owner has added one that you may see, you can read and search its code here.
      </EmptyState>
    );
  return (
    <div className="grid gap-5 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-2">
        <h2 className="font-semibold">No repositories yet</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          Agents and people search the code of a repository at every branch, tag and commit, without cloning
          it. The service keeps a copy of its own and looks for changes by itself.
        </p>
      </div>
      <div>{add}</div>
      <CommandLine
        label="Or on the machine of the service"
        text="countersign repo add https://git.acme.example/acme/web-shop.git"
      />
    </div>
  );
}
