/** Summaries as they leave the service. */
import type { z } from 'zod';
import type { ArchitectureSummary, DescribedSummary } from '../contract.ts';
import type { FoundEvidence, FoundSummary } from './search-store.ts';

export function presentSummary(row: FoundSummary): z.input<typeof ArchitectureSummary> {
  const { domain, repoId, repoName, summary } = row;
  return { repoId, repoName, domain, summary };
}

export function presentDescribedSummary(row: FoundEvidence): z.input<typeof DescribedSummary> {
  const { commit, domain, repoId, repoName, sentences } = row;
  return {
    repoId,
    repoName,
    domain,
    commit,
    sentences: sentences.map(({ evidence, text }) => ({
      text,
      evidence: evidence.map(({ line, path }) => ({ path, line })),
    })),
  };
}
