/** Turns rows of merge rules into their API shape. */
import type { z } from 'zod';
import type { MergeRule } from '../contract.ts';
import { bySpecificity } from './choose-rule.ts';
import { type MergeRuleRow, termsOf } from './merge-rule-store.ts';

/** In the order in which they apply. People who are no active members any more are left out. */
export function presentMergeRules(
  rows: readonly MergeRuleRow[],
  names: ReadonlyMap<string, string>,
): z.input<typeof MergeRule>[] {
  const people = (ids: readonly string[]) =>
    ids.flatMap((id) => (names.has(id) ? [{ id, name: names.get(id)! }] : []));
  return rows
    .map((row) => ({ ...row, repositoryId: row.repository_id }))
    .sort(
      (a, b) =>
        Number(a.repositoryId === null) - Number(b.repositoryId === null) ||
        (a.repository_name ?? '').localeCompare(b.repository_name ?? '') ||
        bySpecificity(a, b),
    )
    .map((row) => {
      const { mergeUserIds, statuses, ...terms } = termsOf(row);
      return {
        id: row.id,
        repository: row.repository_id === null ? null : { id: row.repository_id, name: row.repository_name! },
        pattern: row.pattern,
        ...terms,
        statuses: statuses.map(({ hostAccounts, name, userIds }) => ({
          ...{ name, hostAccounts, people: people(userIds) },
        })),
        mergePeople: people(mergeUserIds),
        updatedBy: row.updated_by === null ? null : { id: row.updated_by, name: row.updated_by_name! },
        updatedAt: row.updated_at.toISOString(),
      };
    });
}
