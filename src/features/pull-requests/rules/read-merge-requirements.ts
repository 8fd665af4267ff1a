/** Reads what a pull request still needs before it can be merged, at its exact head and base, in a fixed number of queries. */
import type { Role } from '../../../platform/core/operations/actor.ts';
import type { Db } from '../../../platform/db/index.ts';
import { selectStatuses } from '../../statuses/index.ts';
import { selectOwners } from '../ownership/select-owners.ts';
import { selectLinkedPlans } from '../store/pull-request-parts-store.ts';
import { chooseRule, DEFAULT_TERMS, type StoredMergeRule } from './choose-rule.ts';
import { evaluateRequirements, isMet, type Requirement } from './evaluate-requirements.ts';
import { selectRulesFor } from './merge-rule-store.ts';
import { type MergeabilityRow, mergeabilityOf } from './mergeability-of.ts';
import { selectMergeCircumstances, selectVerdictFacts } from './requirement-store.ts';

const MAX_PLANS = 1000;

export interface PullRequestToMerge extends MergeabilityRow {
  id: string;
  organization_id: string;
  repository_id: string;
  number: number;
  base_branch: string;
}

export interface ReadRequirements {
  /** Null: the default applies. */
  rule: StoredMergeRule | null;
  requirements: Requirement[];
  isMet: boolean;
  /** Their approval would be one of their own work. */
  ownWorkIds: string[];
}

/**
 * Within a transaction that holds the pull request, nothing of it can change before the end. A code host decides itself whether a draft
 * or a conflict can be merged, and by whom, so that is left out for its pull requests. Without a `merger`, who may merge is left out too.
 */
export async function readMergeRequirements(
  db: Db,
  pullRequest: PullRequestToMerge,
  merger: { userId: string; role: Role } | null = null,
): Promise<ReadRequirements> {
  const { head_commit: headCommit, id, number, origin } = pullRequest;
  const { organization_id: organizationId, repository_id: repositoryId } = pullRequest;
  const rules = await selectRulesFor(db, { organizationId, repositoryId });
  const rule = chooseRule(rules, pullRequest.base_branch) ?? null;
  const terms = rule ?? DEFAULT_TERMS;
  const verdicts = await selectVerdictFacts(db, id);
  const userIds = [...terms.mergeUserIds, ...terms.statuses.flatMap((status) => status.userIds)];
  const around = await selectMergeCircumstances(db, { organizationId, pullRequestId: id, userIds });
  const linked = await selectLinkedPlans(
    db,
    { organizationId, repositoryId, number },
    { plans: MAX_PLANS, files: 0 },
  );
  const statuses = headCommit ? await selectStatuses(db, repositoryId, headCommit) : [];
  const owners = terms.owners ? await selectOwners(db, id) : null;
  const isHere = origin === 'git';
  const requirements = evaluateRequirements(terms, {
    state: pullRequest.state === 'draft' ? 'draft' : 'open',
    headCommit,
    baseBranch: pullRequest.base_branch,
    authorId: around.author_id,
    mergeability: isHere ? (mergeabilityOf(pullRequest) ?? 'unknown') : undefined,
    verdicts,
    onlyPersonId: around.only_person_id,
    ownWorkIds: new Set(around.own_work_ids),
    reviewersLeft: around.reviewers_left,
    unresolvedDiscussions: around.unresolved,
    plans: linked
      .filter(({ reviewState }) => reviewState !== null)
      .map(({ reviewState, title }) => ({ title, isApproved: reviewState === 'approved' })),
    statuses: statuses.map((status) => ({
      name: status.name,
      state: status.state,
      userId: status.user_id,
      hostAccount: status.account_login,
      isByAgent: status.set_with === 'oauth',
    })),
    owners,
    merger: isHere ? merger : null,
    people: new Map(around.people.map(({ id: userId, name }) => [userId, name])),
  });
  return { rule, requirements, isMet: isMet(requirements), ownWorkIds: around.own_work_ids };
}
