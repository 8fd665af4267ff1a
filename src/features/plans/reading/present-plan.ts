/** Turns plan and version rows into their API shapes. */
import type { z } from 'zod';
import { UNSEEN_REPOSITORY } from '../../repositories/index.ts';
import type { Plan, PlanVersionSummary } from '../contract.ts';
import { reviewStateOf } from '../status/review-state.ts';
import type { CurrentPlanRow, VersionRow } from '../store/plan-store.ts';
import type { PullRequestRow } from '../store/pull-request-store.ts';

export function presentPlan(
  row: CurrentPlanRow,
  repositories: NamedRepository[],
  pullRequests: PullRequestRow[],
  baseUrl: string,
): z.input<typeof Plan> {
  const repos = repositories.map(presentRepository);
  return {
    seriesId: row.series_id,
    seriesKey: row.series_id,
    versionId: row.version_id,
    version: row.version,
    title: row.title,
    status: row.status,
    reviewState: reviewStateOf(row),
    content: row.content,
    agentVendor: row.agent_vendor,
    modelId: row.model_id,
    tokensUsed: presentTokens(row),
    repoNames: repos.map(({ repoName }) => repoName),
    repoIds: repos.flatMap(({ repoId }) => (repoId === null ? [] : [repoId])),
    repos,
    pullRequests: pullRequests.map((link) => ({
      ...presentRepository({ ...link, name: link.repository_name }),
      prNumber: link.number,
      pullRequestId: link.id,
      title: link.title,
      state: link.state,
      url: link.url ?? (link.id === null ? null : `${baseUrl}/pull-requests/${link.id}`),
      linkedAt: link.linked_at.toISOString(),
    })),
    createdBy: { id: row.created_by, name: row.creator_name },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    url: `${baseUrl}/plans/${row.series_id}`,
  };
}

interface NamedRepository<Name = string> {
  repository_id: string | null;
  name: Name;
  unseen: boolean;
}

/** The only way in which a plan names a repository. */
export function presentRepository<Name extends string | null>(row: NamedRepository<Name>) {
  return row.unseen
    ? { repoId: null, repoName: UNSEEN_REPOSITORY }
    : { repoId: row.repository_id, repoName: row.name };
}

export function presentTokens(row: { input_tokens: string | null; output_tokens: string | null }) {
  if (row.input_tokens === null || row.output_tokens === null) return null;
  return { input_tokens: Number(row.input_tokens), output_tokens: Number(row.output_tokens) };
}

export function presentVersion(row: VersionRow): z.input<typeof PlanVersionSummary> {
  return {
    versionId: row.id,
    version: row.version,
    title: row.title,
    unchanged: row.unchanged,
    author: { id: row.author_id, name: row.author_name },
    authorKind: row.author_kind,
    agentVendor: row.agent_vendor,
    modelId: row.model_id,
    tokensUsed: presentTokens(row),
    createdAt: row.created_at.toISOString(),
  };
}
