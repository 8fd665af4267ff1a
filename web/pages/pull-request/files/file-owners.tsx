/** Who owns a changed file, beside its name in the tree, and whether their approval is missing. */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { PullRequest } from '../../../parts/pull-request/pull-request-data.ts';
import { type Owners, useOwners } from '../owners/use-owners.ts';

type Owned = Owners['owned'][number];

const OwnersByPath = createContext<ReadonlyMap<string, Owned[]>>(new Map());

/** Loaded beside the files, and again after each change of the pull request. */
export function WithOwners({ children, pullRequest }: { pullRequest: PullRequest; children: ReactNode }) {
  const data = useOwners(pullRequest);
  const byPath = useMemo(() => {
    const found = new Map<string, Owned[]>();
    for (const owned of data?.owned ?? [])
      for (const path of owned.paths) found.set(path, [...(found.get(path) ?? []), owned]);
    return found;
  }, [data]);
  return (
    <OwnersByPath value={byPath}>
      {data && <OwnersProblems owners={data} />}
      {children}
    </OwnersByPath>
  );
}

function OwnersProblems({ owners: { file, owned, problems } }: { owners: Owners }) {
  const unknown = owned.filter(({ owners, required }) => required > 0 && owners.every(isUnknown));
  if (problems.length + unknown.length === 0) return null;
  return (
    <div className="rounded-md border border-line bg-sunken px-2.5 py-2 text-xs text-quiet">
      <p className="font-medium text-warn">{file ?? 'CODEOWNERS'} has problems</p>
      <ul className="mt-1 grid gap-0.5 wrap-anywhere">
        {problems.map(({ line, reason }) => (
          <li key={`${line} ${reason}`}>
            {line === null ? '' : `Line ${line}: `}
            {reason}
          </li>
        ))}
        {unknown.map(({ line, owners }) => (
          <li key={line}>
            Line {line}: nobody here is {owners.map(({ name }) => name).join(' or ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

const isUnknown = ({ kind }: Owned['owners'][number]) => kind === 'unknown';

export function FileOwners({ paths }: { paths: readonly (string | null)[] }) {
  const byPath = useContext(OwnersByPath);
  const owned = paths.flatMap((path) => (path === null ? [] : (byPath.get(path) ?? [])));
  if (owned.length === 0) return null;
  const names = [...new Set(owned.flatMap(({ owners }) => owners.map(({ name }) => name)))].join(', ');
  const isMissing = owned.some(({ missing }) => missing > 0);
  const says = isMissing ? `Owned by ${names}: approval missing` : `Owned by ${names}`;
  const Icon = isMissing ? ShieldAlert : ShieldCheck;
  return (
    <span
      className="inline-flex max-w-[45%] min-w-0 shrink items-center gap-1 text-xs text-quiet"
      title={says}
    >
      <Icon
        className={`size-3.5 shrink-0 ${isMissing ? 'text-warn' : 'text-good'}`}
        aria-label={says}
        role="img"
      />
      <span className="truncate" aria-hidden="true">
        {names}
      </span>
    </span>
  );
}
