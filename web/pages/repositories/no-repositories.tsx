/** No repositories yet: what they are for, and how to add the first. */
import type { ReactNode } from 'react';
import { CommandLine } from '../../components/copy.tsx';
import { EmptyState } from '../../components/page.tsx';

/** `add` is set for those who can add one. */
export function NoRepositories({ add }: { add: ReactNode }) {
  if (!add)
    return (
      <EmptyState title="No repositories yet">
        Once an admin adds a repository you can access, you can read and search its code here.
      </EmptyState>
    );
  return (
    <div className="grid gap-5 rounded-xl border border-dashed border-strong-line/60 px-6 py-8">
      <div className="grid gap-2">
        <h2 className="font-semibold">No repositories yet</h2>
        <p className="max-w-prose text-sm text-pretty text-quiet">
          Agents and people can read and search a repository at any branch, tag or commit without cloning it.
          The service keeps its own copy up to date.
        </p>
      </div>
      <div>{add}</div>
      <CommandLine
        label="Or on the server"
        text="countersign repo add https://git.acme.example/acme/web-shop.git"
      />
    </div>
  );
}
