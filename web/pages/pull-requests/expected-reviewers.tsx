/** Names who will be asked for a review once the pull request is opened, each with the reason. */
import { useQuery } from '@tanstack/react-query';
import { UserRoundCheck } from 'lucide-react';
import { call } from '../../api/client.ts';
import { Notice } from '../../components/notice.tsx';
import { useSettled } from '../../components/use-settled.ts';

const PAUSE_MS = 400;

/** Undefined until the branches are known and compared. */
export function useExpectedReviewers(
  repositoryId: string | undefined,
  { base, head }: { head: string; base: string },
) {
  const branches = useSettled(`${head.trim()} ${base.trim()}`, PAUSE_MS);
  const [from = '', into = ''] = branches.split(' ');
  const { data } = useQuery({
    queryKey: ['list-expected-reviewers', repositoryId, branches],
    queryFn: ({ signal }) =>
      call(
        'list-expected-reviewers',
        { repositoryId: repositoryId!, head: from, ...(into && { base: into }) },
        { signal },
      ),
    enabled: repositoryId !== undefined && from !== '',
    staleTime: 30_000,
    retry: false,
  });
  return data?.known ? { ...data, head: from } : undefined;
}

export type Expected = NonNullable<ReturnType<typeof useExpectedReviewers>>;

export function ExpectedReviewers({ expected, isDraft }: { expected: Expected; isDraft: boolean }) {
  const { file, problems, reviewers } = expected;
  return (
    <>
      {reviewers.length > 0 && (
        <section
          aria-label="Asked automatically"
          className="rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm"
        >
          <p className="text-quiet">
            {isDraft ? 'Asked for a review once it is ready:' : 'Asked for a review when you open it:'}
          </p>
          <ul className="mt-1.5 grid gap-1">
            {reviewers.map(({ always, id, name, owns }) => (
              <li key={id} className="flex min-w-0 items-start gap-2">
                <UserRoundCheck className="mt-0.5 size-4 shrink-0 text-quiet" aria-hidden="true" />
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{name}</span>{' '}
                  <span className="text-quiet">
                    {always && 'reviews every pull request here'}
                    {always && owns.length > 0 && ', and '}
                    {owns.length > 0 && <Owned owns={owns} />}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {file !== null && reviewers.some(({ owns }) => owns.length > 0) && (
            <p className="mt-1.5 text-xs text-quiet">
              Code owners by <code className="font-mono">{file}</code> in the base branch.
            </p>
          )}
        </section>
      )}
      {problems.length > 0 && (
        <Notice kind="warn">
          {file ?? 'CODEOWNERS'} has problems:{' '}
          {problems
            .slice(0, MAX_SHOWN)
            .map(({ line, reason }) => (line === null ? reason : `line ${line}: ${reason}`))
            .join('; ')}
        </Notice>
      )}
    </>
  );
}

const MAX_SHOWN = 3;

function Owned({ owns }: { owns: Expected['reviewers'][number]['owns'] }) {
  return (
    <>
      owns{' '}
      {owns.slice(0, MAX_SHOWN).map(({ line, pattern }, index) => (
        <span key={line}>
          {index > 0 && ', '}
          <code className="font-mono text-xs text-text" title={`Line ${line}`}>
            {pattern}
          </code>
        </span>
      ))}
      {owns.length > MAX_SHOWN && ` and ${owns.length - MAX_SHOWN} more`}
    </>
  );
}
