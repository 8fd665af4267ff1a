/** Turns rows of reviewers into their API shapes. */
import type { z } from 'zod';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import { builtInReviewer, optionalChecksOf } from '../built-in-reviewers.ts';
import type { Reviewer, ReviewerDetail, ReviewerScope, ReviewerVersion } from '../contract.ts';
import type {
  FindingRow,
  ReviewerDiscussionRow,
  ReviewerRow,
  ScopeRow,
} from '../store/reviewer-list-store.ts';
import type { ReviewerDetailRow, VersionRow } from '../store/reviewer-store.ts';
import { mayEdit, maySwitch } from './who-may-edit.ts';

type Parts = { scopes: ScopeRow[]; discussions: ReviewerDiscussionRow[]; hasModel: boolean };

const EVERYWHERE = { repoId: null, repoName: null, paths: [] };

export function presentReviewer(row: ReviewerRow, parts: Parts, actor: Actor): z.input<typeof Reviewer> {
  return {
    id: row.id,
    title: row.title,
    description: row.built_in === null ? row.description! : builtInReviewer(row.built_in).description,
    enabled: row.enabled,
    needsModel: !parts.hasModel && worksWithModelAlone(row),
    activeVersion: row.active_version,
    scopes: row.built_in === null ? parts.scopes.map(presentScope) : [EVERYWHERE],
    discussions: parts.discussions.map(presentDiscussion),
    canEdit: mayEdit(actor, row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

function worksWithModelAlone({ built_in: builtIn, kind }: Pick<ReviewerRow, 'built_in' | 'kind'>): boolean {
  return builtIn === null ? kind === 'instructions' : builtInReviewer(builtIn).withoutModel === null;
}

function presentDiscussion(row: ReviewerDiscussionRow) {
  return {
    id: row.id,
    repoName: row.repository_name,
    prNumber: row.pr_number,
    file: row.file,
    startLine: row.start_line,
    status: row.status,
    createdAt: row.created_at.toISOString(),
  };
}

export function presentScope(row: ScopeRow): z.input<typeof ReviewerScope> {
  return { repoId: row.repository_id, repoName: row.repository_name, paths: row.paths };
}

export function presentDetail(
  row: ReviewerDetailRow,
  parts: Parts & { findings: FindingRow[] },
  actor: Actor,
): z.input<typeof ReviewerDetail> {
  const findings = new Map(parts.findings.map((finding) => [finding.id, finding]));
  return {
    ...presentReviewer(row, parts, actor),
    discussions: parts.discussions.flatMap((discussion) => {
      const finding = findings.get(discussion.id);
      if (!finding) return [];
      const { is_dismissed: isDismissed, pull_request_id: pullRequestId, title } = finding;
      return [{ ...presentDiscussion(discussion), pullRequestId, title, isDismissed }];
    }),
    builtIn: row.built_in === null ? null : presentBuiltIn(row.built_in, row.switched_on),
    kind: row.kind,
    body: row.body,
    newestVersion: row.newest_version,
    canSwitch: maySwitch(actor, row),
    createdBy: presentPerson(row),
  };
}

function presentBuiltIn(
  key: string,
  switchedOn: string[],
): NonNullable<z.input<typeof ReviewerDetail>['builtIn']> {
  const { looksAt, withoutModel } = builtInReviewer(key);
  const optionalChecks = optionalChecksOf(key, switchedOn);
  return { key: key as 'secrets', looksAt, withoutModel, optionalChecks };
}

export function presentVersionLine(row: Omit<VersionRow, 'description' | 'kind' | 'body'>, active: number) {
  return {
    version: row.number,
    title: row.title,
    isActive: row.number === active,
    createdBy: presentPerson(row),
    createdAt: row.created_at.toISOString(),
  };
}

export function presentVersion(
  row: VersionRow,
  scopes: ScopeRow[],
  active: number,
): z.input<typeof ReviewerVersion> {
  return {
    ...presentVersionLine(row, active),
    description: row.description,
    kind: row.kind,
    body: row.body,
    scopes: scopes.map(presentScope),
  };
}

function presentPerson(row: { created_by: string | null; created_by_name: string | null }) {
  return row.created_by === null ? null : { id: row.created_by, name: row.created_by_name! };
}
