/** Presents the architecture of one repository. */
import type { z } from 'zod';
import { titleOfLanguage } from '../../../engines/facts/index.ts';

import type { Architecture, DESCRIPTION_STATES } from '../contract.ts';
import type { selectDescription } from '../describe/describe-store.ts';
import type { selectProvided } from '../describe/fact-store.ts';
import { presentDescribedSummary } from '../find/present-summary.ts';
import type { FoundEvidence } from '../find/search-store.ts';

type Description = NonNullable<Awaited<ReturnType<typeof selectDescription>>>;
type Provided = Awaited<ReturnType<typeof selectProvided>>;

export function presentArchitecture(
  row: Description,
  parts: { summaries: FoundEvidence[]; owners: Provided; contracts: Provided },
): z.input<typeof Architecture> {
  const { overview } = row;
  return {
    repoId: row.id,
    repoName: row.name,
    state: stateOf(row),
    problem: row.describe_problem,
    commit: row.commit,
    isUpToDate: row.commit !== null && row.commit === row.head_commit,
    describedAt: row.described_at?.toISOString() ?? null,
    files: overview?.files ?? 0,
    languages: (overview?.languages ?? []).map(({ language, ...size }) => ({
      language: titleOfLanguage(language),
      ...size,
    })),
    parts: overview?.parts ?? [],
    activity: overview?.activity ?? { folders: [], people: [] },
    owners: parts.owners,
    contracts: parts.contracts,
    leftOut: overview?.leftOut ?? [],
    summaries: parts.summaries.map(presentDescribedSummary),
  };
}

function stateOf(row: Description): (typeof DESCRIPTION_STATES)[number] {
  if (row.describe_problem !== null) return 'failed';
  if (row.describe_started_at !== null) return 'running';
  return row.commit === null ? 'waiting' : 'ready';
}
