/** Sets and removes merge rules, for the page and for the operator's command; each change is in the audit log. */
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { type FieldError, invalidRequest } from '../../../platform/core/errors/errors.ts';
import { uuidv7 } from '../../../platform/core/text/uuid.ts';
import type { Db } from '../../../platform/db/index.ts';
import { type AuditSource, recordAudit } from '../../audit/index.ts';
import type { SetMergeRuleInput } from '../contract.ts';
import { DEFAULT_TERMS, type MergeRuleTerms } from './choose-rule.ts';
import {
  deleteMergeRuleRow,
  lockRules,
  type MergeRuleRow,
  selectMergeRules,
  selectNamesOf,
  termsOf,
  upsertMergeRule,
} from './merge-rule-store.ts';

export type RuleInput = z.output<typeof SetMergeRuleInput>;

interface NamedRepository {
  id: string;
  name: string;
}

/** The whole rule: a field that is left out is as in the default. Within a transaction. */
export async function saveMergeRule(
  db: Db,
  source: AuditSource,
  repository: NamedRepository | null,
  input: RuleInput,
): Promise<void> {
  const { organizationId } = source;
  await lockRules(db, organizationId);
  const terms = termsFrom(input);
  await refuseUnknownPeople(db, organizationId, terms);
  const { pattern } = input;
  const repositoryId = repository?.id ?? null;
  const existing = (await selectMergeRules(db, organizationId, null)).find(
    (row) => row.repository_id === repositoryId && row.pattern === pattern,
  );
  const before = existing && termsOf(existing);
  if (before && isDeepStrictEqual(before, terms)) return;
  const id = existing?.id ?? uuidv7();
  const { at, userId } = source;
  await upsertMergeRule(db, { ...terms, id, organizationId, repositoryId, pattern, updatedBy: userId, at });
  await recordAudit(db, source, {
    action: before ? 'merge_rule.changed' : 'merge_rule.created',
    subjectId: id,
    subjectName: nameOf(repository?.name ?? null, pattern),
    detail: before ? changesBetween(before, terms) : { ...terms },
  });
}

/** Within a transaction; returns whether there was one. */
export async function removeMergeRule(
  db: Db,
  source: AuditSource,
  isTheOne: (row: MergeRuleRow) => boolean,
): Promise<boolean> {
  await lockRules(db, source.organizationId);
  const row = (await selectMergeRules(db, source.organizationId, null)).find(isTheOne);
  if (!row) return false;
  await deleteMergeRuleRow(db, source.organizationId, row.id);
  await recordAudit(db, source, {
    action: 'merge_rule.deleted',
    subjectId: row.id,
    subjectName: nameOf(row.repository_name, row.pattern),
    detail: { ...termsOf(row) },
  });
  return true;
}

function nameOf(repository: string | null, pattern: string): string {
  return `${repository ?? 'every repository'}: ${pattern}`;
}

function termsFrom(input: RuleInput): MergeRuleTerms {
  const { mergeRole } = input;
  return {
    approvals: input.approvals ?? DEFAULT_TERMS.approvals,
    owners: input.owners ?? false,
    statuses: (input.statuses ?? []).map(({ hostAccounts = [], name, userIds = [] }) => ({
      name,
      userIds: [...new Set(userIds)],
      hostAccounts: [...new Set(hostAccounts)],
    })),
    resolvedDiscussions: input.resolvedDiscussions ?? false,
    approvedPlan: input.approvedPlan ?? false,
    keepApprovals: input.keepApprovals ?? false,
    allowOnlyPerson: input.allowOnlyPerson ?? false,
    mergeRole: mergeRole === 'nobody' ? null : (mergeRole ?? DEFAULT_TERMS.mergeRole),
    mergeUserIds: [...new Set(input.mergeUserIds ?? [])],
  };
}

async function refuseUnknownPeople(db: Db, organizationId: string, terms: MergeRuleTerms): Promise<void> {
  const { mergeRole, mergeUserIds, statuses } = terms;
  const names = await selectNamesOf(db, organizationId, [
    ...mergeUserIds,
    ...statuses.flatMap(({ userIds }) => userIds),
  ]);
  const unknown = (ids: string[], path: string): FieldError[] =>
    ids.flatMap((id, index) =>
      names.has(id) ? [] : [{ path: `${path}[${index}]`, message: 'is not an active member' }],
    );
  const errors: FieldError[] = [
    ...unknown(mergeUserIds, 'mergeUserIds'),
    ...statuses.flatMap((status, index) => [
      ...unknown(status.userIds, `statuses[${index}].userIds`),
      ...(status.userIds.length + status.hostAccounts.length === 0
        ? [{ path: `statuses[${index}]`, message: 'must name who may set it' }]
        : []),
      ...(statuses.findIndex(({ name }) => name === status.name) < index
        ? [{ path: `statuses[${index}].name`, message: 'is there twice' }]
        : []),
    ]),
    ...(mergeRole === null && mergeUserIds.length === 0
      ? [{ path: 'mergeUserIds', message: 'must name someone, or nobody could merge' }]
      : []),
  ];
  if (errors.length > 0) throw invalidRequest(errors);
}

function changesBetween(before: MergeRuleTerms, after: MergeRuleTerms): Record<string, unknown> {
  const keys = Object.keys(after) as (keyof MergeRuleTerms)[];
  return Object.fromEntries(
    keys
      .filter((key) => !isDeepStrictEqual(before[key], after[key]))
      .map((key) => [key, { from: before[key], to: after[key] }]),
  );
}
