/** One version of a reviewer, to be tried on past pull requests. */

import type { RuleReviewer } from '../../../engines/review/contract/code-review.ts';
import { notFound, Problem } from '../../../platform/core/errors/errors.ts';
import type { Actor } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { maySwitch } from '../editing/who-may-edit.ts';
import { selectReviewerVersion } from '../store/active-reviewer-store.ts';
import { selectReviewer, selectVersion } from '../store/reviewer-store.ts';

/** People who may turn it on may try it. `version` defaults to the active one. */
export async function findTriedReviewer(
  db: Db,
  actor: Actor,
  reviewerId: string,
  version: number | undefined,
): Promise<{ version: number }> {
  const reviewer = await selectReviewer(db, actor.organizationId, reviewerId);
  if (!reviewer) throw notFound('The reviewer');
  if (!maySwitch(actor, reviewer))
    throw new Problem('forbidden', 'Only admins and the person who created this reviewer can try it.');
  const number = version ?? reviewer.active_version;
  if (reviewer.built_in !== null) {
    if (number !== reviewer.active_version) throw notFound('The version');
    return { version: number };
  }
  const wanted = await selectVersion(db, actor.organizationId, reviewerId, number);
  if (!wanted) throw notFound('The version');
  if (wanted.kind !== 'rules')
    throw new Problem('conflict', 'Only rules can be tried: instructions need an agent or a model.');
  return { version: number };
}

/** Empty where the version does not apply. */
export async function loadReviewerVersion(
  db: Db,
  place: { organizationId: string; repositoryId: string; reviewerId: string; version: number },
): Promise<{
  builtIn: string[];
  switchedOn: string[];
  ruleReviewers: RuleReviewer[];
  titles: Map<string, string>;
}> {
  const row = await selectReviewerVersion(db, place);
  const none = { builtIn: [], switchedOn: [], ruleReviewers: [] };
  if (!row) return { ...none, titles: new Map() };
  if (row.built_in !== null)
    return {
      ...{ builtIn: [row.built_in], switchedOn: row.switched_on, ruleReviewers: [] },
      titles: new Map([[row.built_in, row.title]]),
    };
  const key = `custom:${row.id}` as const;
  const rules = { key, title: row.title, rules: row.body!, paths: row.paths };
  return { ...none, ruleReviewers: [rules], titles: new Map([[key, row.title]]) };
}
