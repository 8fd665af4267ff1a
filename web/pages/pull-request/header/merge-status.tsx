/** Whether the branch merges into its base, and what conflicts if not: each file opens to both sides of its conflicts. */
import { useQuery } from '@tanstack/react-query';
import { ChevronRight, CircleAlert, CircleCheck, CircleHelp } from 'lucide-react';
import type { ReactNode } from 'react';
import { CommandLine } from '../../../components/copy.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import { type PullRequest, pullRequestQuery } from '../../../parts/pull-request/pull-request-data.ts';
import { ResolveLink } from '../merging/resolve-link.tsx';
import { resolveCommands } from './resolve-commands.ts';

type Conflicts = NonNullable<PullRequest['conflicts']>;
type ConflictedFile = Conflicts['files'][number];

const ICON = 'mt-[0.15rem] size-4 shrink-0';
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export function MergeStatus({ pullRequest }: { pullRequest: PullRequest }) {
  const { baseBranch, id, mergeability } = pullRequest;
  // No event says that nothing conflicts, or that the base has newer commits: it is asked for, less and less often.
  useQuery({
    ...pullRequestQuery(id),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (!data || data.mergeability === null) return false;
      return data.mergeability === 'checking'
        ? Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(dataUpdateCount, 10))
        : LONGEST_PAUSE_MS;
    },
  });
  switch (mergeability) {
    case null:
      return null;
    case 'checking':
      return <Line icon={<Spinner />}>Checking for conflicts with {baseBranch}…</Line>;
    case 'clean':
      return (
        <Line icon={<CircleCheck className={`${ICON} text-good`} aria-hidden="true" />}>
          No conflicts with {baseBranch}
        </Line>
      );
    case 'conflicts':
      return <ConflictList pullRequest={pullRequest} />;
    default:
      return (
        <Line icon={<CircleHelp className={`${ICON} text-quiet`} aria-hidden="true" />}>
          {mergeability === 'blocked'
            ? 'The code host says that this can’t be merged now'
            : `Not known whether this conflicts with ${baseBranch}`}
        </Line>
      );
  }
}

function Line({ children, icon }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p role="status" className="flex items-start gap-2 text-sm text-quiet">
      {icon}
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}

const CONFLICTS_ID = 'conflicts';

/** Opens the list of conflicts, and moves to it. */
export function showConflicts(): void {
  const list = document.getElementById(CONFLICTS_ID);
  if (list instanceof HTMLDetailsElement) list.open = true;
  list?.querySelector('summary')?.focus();
  list?.scrollIntoView({ block: 'nearest' });
}

function ConflictList({ pullRequest }: { pullRequest: PullRequest }) {
  const { baseBranch, conflicts, headRepository } = pullRequest;
  const { files, total } = conflicts ?? { files: [], total: 0 };
  const commands = resolveCommands(pullRequest);
  return (
    <details id={CONFLICTS_ID} className="group/conflicts min-w-0 text-sm">
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-start gap-2 rounded">
        <CircleAlert className={`${ICON} text-danger`} aria-hidden="true" />
        <span className="min-w-0 font-medium wrap-anywhere">
          Conflicts with {baseBranch}
          {total > 0 && ` in ${total === 1 ? '1 file' : `${total} files`}`}
        </span>
        <ChevronRight
          className="mt-[0.15rem] size-4 shrink-0 text-quiet group-open/conflicts:rotate-90"
          aria-hidden="true"
        />
      </summary>
      {total > 0 && (
        <ul className="mt-2 grid grid-cols-1 gap-1 border-l border-line pl-3">
          {files.map((file) => (
            <li key={file.path} className="min-w-0">
              <Conflict baseBranch={baseBranch} file={file} />
            </li>
          ))}
          {total > files.length && <li className="text-quiet">and {total - files.length} more</li>}
        </ul>
      )}
      <ResolveLink pullRequest={pullRequest} />
      {headRepository === null && (
        <div className="mt-3 mb-1.5 grid max-w-2xl grid-cols-1 gap-3">
          <CommandLine label={`Merge ${baseBranch} in a clone`} text={commands.merge} />
          <CommandLine label={commands.first} text={commands.push} />
        </div>
      )}
    </details>
  );
}

const KINDS: Record<string, string> = {
  binary: 'binary, changed on both branches',
  added_on_both: 'added on both branches',
  deleted_in_head: 'deleted here, changed on the base branch',
  deleted_in_base: 'deleted on the base branch, changed here',
  renamed: 'renamed differently',
  submodule: 'submodule, changed on both branches',
  other: 'conflicts in another way',
};

function Conflict({ baseBranch, file }: { baseBranch: string; file: ConflictedFile }) {
  const { hunks, kind, path, truncated } = file;
  const name = (
    <>
      <code className="font-mono text-xs wrap-anywhere">{path}</code>
      {KINDS[kind] && <span className="ml-2 text-quiet">{KINDS[kind]}</span>}
    </>
  );
  if (hunks.length === 0) return <p className="py-0.5 pl-5.5">{name}</p>;
  return (
    <details className="group/file min-w-0">
      <summary className="flex w-fit max-w-full cursor-pointer list-none items-start gap-1.5 rounded py-0.5">
        <ChevronRight
          className="mt-[0.15rem] size-4 shrink-0 text-quiet group-open/file:rotate-90"
          aria-hidden="true"
        />
        <span className="min-w-0">{name}</span>
      </summary>
      <div className="grid grid-cols-1 gap-3 py-1.5 pl-5.5">
        {hunks.map((hunk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conflicts have no other name than their position.
          <div key={index} className="min-w-0 overflow-hidden rounded-lg border border-line">
            {hunk.context.length > 0 && <Lines lines={hunk.context} look="bg-sunken text-quiet" />}
            <div className="grid grid-cols-1 divide-y divide-line md:grid-cols-2 md:divide-x md:divide-y-0">
              <Side name={baseBranch} lines={hunk.base} look="bg-sunken" />
              <Side name="This branch" lines={hunk.head} look="bg-accent-soft" />
            </div>
          </div>
        ))}
        {truncated && <p className="text-quiet">Not all of the conflict is shown.</p>}
      </div>
    </details>
  );
}

function Side({ lines, look, name }: { name: string; lines: string[]; look: string }) {
  return (
    <section aria-label={name} className="min-w-0">
      <p className="truncate px-3 py-1 text-xs text-quiet">{name}</p>
      {lines.length > 0 ? (
        <Lines lines={lines} look={look} />
      ) : (
        <p className="px-3 py-1 text-xs text-quiet">Deleted</p>
      )}
    </section>
  );
}

function Lines({ lines, look }: { lines: string[]; look: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <pre tabIndex={0} className={`overflow-x-auto px-3 py-1 font-mono text-xs leading-5 ${look}`}>
      {lines.join('\n')}
    </pre>
  );
}
