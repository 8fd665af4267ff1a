/** The commits of two heads, paired: what became of each, such as before and after a rebase. */
import '../diff/diff.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CallOutput } from '../../../api/client.ts';
import { isWaiting, operationQuery, untilReady } from '../../../api/queries.ts';
import { Badge } from '../../../components/badge.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../components/page.tsx';
import { MarkedText } from '../../../parts/code/marked-text.tsx';
import { type PullRequest, shortCommit } from '../../../parts/pull-request/pull-request-data.ts';
import { NotHereYet } from '../files/files-states.tsx';

type Paired = CallOutput<'compare-pull-request-heads'>['commits'][number];

export function HeadsComparison(props: { pullRequest: PullRequest; from: string; to: string }) {
  const { from, pullRequest, to } = props;
  const { heads, id, repository } = pullRequest;
  const query = useQuery({
    ...operationQuery('compare-pull-request-heads', { pullRequestId: id, from, to }),
    ...untilReady,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, error, refetch } = query;
  if (isWaiting(query)) return <NotHereYet repositoryId={repository.id} />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={4} />;
  const nameOf = (commit: string) => {
    const position = heads.findLast((head) => head.commit === commit)?.position;
    return `${position === undefined ? '' : `Push ${position} · `}${shortCommit(commit)}`;
  };
  return (
    <section aria-label="Compared commits" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <h2 className="font-medium">
          Commits of {nameOf(data.from)} and {nameOf(data.to)}
        </h2>
        <nav aria-label="Other comparisons" className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem]">
          <PageLink id={id} search={{ view: 'files', from, to }}>
            Changed files between the two
          </PageLink>
          <PageLink id={id} search={{ view: 'files' }}>
            All changes
          </PageLink>
          <PageLink id={id} search={{ view: 'commits' }}>
            Newest commits
          </PageLink>
        </nav>
      </div>
      {data.tooLarge && (
        <EmptyState title="Too much to compare">
          There are more than 100 commits or 50,000 changed lines. Compare the files instead.
        </EmptyState>
      )}
      {data.commits.length > 0 && (
        <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
          {data.commits.map((paired) => (
            <li key={`${paired.oldCommit} ${paired.newCommit}`} className="px-4 py-2.5">
              <PairedCommit paired={paired} />
            </li>
          ))}
        </ol>
      )}
      {!data.tooLarge && data.commits.length === 0 && <EmptyState title="No commits" />}
    </section>
  );
}

function PageLink(props: {
  id: string;
  search: { view: 'files' | 'commits'; from?: string; to?: string };
  children: string;
}) {
  return (
    <Link
      to="/pull-requests/$pullRequestId"
      params={{ pullRequestId: props.id }}
      search={props.search}
      className="rounded text-accent hover:underline"
    >
      {props.children}
    </Link>
  );
}

const CHANGES: Record<Paired['change'], { name: string; kind: 'plain' | 'accent' | 'good' | 'warn' }> = {
  same: { name: 'Unchanged', kind: 'plain' },
  changed: { name: 'Changed', kind: 'accent' },
  added: { name: 'Added', kind: 'good' },
  removed: { name: 'Removed', kind: 'warn' },
};

function PairedCommit({ paired }: { paired: Paired }) {
  const { change, lines, newCommit, oldCommit, subject, truncated } = paired;
  const { kind, name } = CHANGES[change];
  const line = (
    <span className="inline-flex w-[calc(100%-1.5rem)] flex-wrap items-baseline gap-x-3 gap-y-1 align-baseline text-sm">
      <Badge kind={kind}>{name}</Badge>
      <span className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">
        <MarkedText text={subject} />
      </span>
      <code className="font-mono text-xs text-quiet">
        {[oldCommit, newCommit]
          .flatMap((commit) => (commit === null ? [] : [shortCommit(commit)]))
          .join(' → ')}
      </code>
    </span>
  );
  if (lines.length === 0) return line;
  return (
    <details>
      <summary className="rounded">{line}</summary>
      <pre className="range-diff mt-2 rounded-md border border-line bg-page p-3 text-xs wrap-anywhere whitespace-pre-wrap">
        {lines.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: these lines never change places.
          <span key={index} data-kind={kindOf(text)} className="block min-h-4">
            {text}
          </span>
        ))}
      </pre>
      {truncated && <p className="mt-1 text-xs text-quiet">The rest is too large to show.</p>}
    </details>
  );
}

/** The outer sign says what changed in the patch; the sign after it is the patch's own. */
function kindOf(line: string): 'added' | 'removed' | 'section' | undefined {
  if (/^ *(@@|##) /.test(line)) return 'section';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : undefined;
}
