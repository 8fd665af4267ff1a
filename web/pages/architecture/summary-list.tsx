/** Summaries of several repositories: name, domain, and the first sentences. */
import { Link } from '@tanstack/react-router';
import type { Ref } from 'react';
import { Badge } from '../../components/badge.tsx';
import { LIST_ENTRY } from '../../frame/use-list-keys.ts';
import { domainName } from '../../parts/architecture/domains.ts';
import { type Summary, SummaryText } from '../../parts/architecture/summary-text.tsx';
import { withoutRepeats } from '../../parts/architecture/without-repeats.ts';

const SENTENCES_SHOWN = 2;

export function SummaryList({
  summaries,
  busy,
  ref,
}: {
  summaries: Summary[];
  /** Other results are loading. */
  busy: boolean;
  ref: Ref<HTMLUListElement>;
}) {
  return (
    <ul
      ref={ref}
      aria-label="Summaries"
      aria-busy={busy}
      className={`divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised transition-opacity ${busy ? 'opacity-60' : ''}`}
    >
      {withoutRepeats(summaries).map((summary) => (
        <li key={`${summary.repoId} ${summary.domain}`} className="grid gap-2 px-4 py-3">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              to="/repositories/$repositoryId/architecture"
              params={{ repositoryId: summary.repoId }}
              hash={summary.domain.toLowerCase()}
              {...LIST_ENTRY}
              className="inline-flex min-h-6 min-w-0 items-center font-medium wrap-anywhere hover:underline"
            >
              {summary.repoName}
            </Link>
            <Badge>{domainName(summary.domain)}</Badge>
          </div>
          <SummaryText summary={summary} short={SENTENCES_SHOWN} />
        </li>
      ))}
    </ul>
  );
}
