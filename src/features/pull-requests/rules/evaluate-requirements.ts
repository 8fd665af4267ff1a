/** Evaluates a merge rule: each thing that a pull request needs before it can be merged, and whether it is missing. Pure. */
import type { z } from 'zod';
import { hasRole, type Role } from '../../../platform/core/operations/actor.ts';
import { isStatusNamed } from '../../statuses/index.ts';
import type { MergeabilityState, MergeRequirement } from '../contract.ts';
import { approvalByOwners } from '../ownership/missing-owners.ts';
import type { PullRequestOwners } from '../ownership/select-owners.ts';
import type { MergeRuleTerms, RequiredStatus } from './choose-rule.ts';
import { describeNames, plural } from './name-lists.ts';
import { standingVerdicts, type VerdictFact } from './standing-verdicts.ts';

export type Requirement = z.input<typeof MergeRequirement>;
export interface Person {
  id: string;
  name: string;
}

export interface StatusFact {
  name: string;
  state: 'pending' | 'success' | 'failure' | 'error';
  /** The member who set it here; null for accounts of the code host. */
  userId: string | null;
  hostAccount: string | null;
  /** An agent's sign-in never counts. */
  isByAgent: boolean;
}

export interface MergeFacts {
  state: 'open' | 'draft';
  headCommit: string | null;
  baseBranch: string;
  /** The member who opened it. */
  authorId: string | null;
  /** Undefined where the code host decides. */
  mergeability: MergeabilityState | undefined;
  /** In the order in which they were given. */
  verdicts: readonly VerdictFact[];
  /** The only active person of the organization, if there is one. */
  onlyPersonId: string | null;
  /** Who opened it, pushed to it, or wrote or committed some of it: their approval doesn't count. */
  ownWorkIds: ReadonlySet<string>;
  /** How many others could approve it. Above ten, ten. */
  reviewersLeft: number;
  unresolvedDiscussions: number;
  /** Whether each linked plan that isn't closed is approved in its newest version. */
  plans: readonly { title: string; isApproved: boolean }[];
  statuses: readonly StatusFact[];
  /** Null unless the rule needs them. */
  owners: PullRequestOwners | null;
  /** Who wants to merge; null where that is not decided here. */
  merger: { userId: string; role: Role } | null;
  /** The active members that the rule names. */
  people: ReadonlyMap<string, string>;
}

export function evaluateRequirements(terms: MergeRuleTerms, facts: MergeFacts): Requirement[] {
  return [
    ...(facts.state === 'draft' && facts.mergeability !== undefined ? [DRAFT] : []),
    ...(terms.approvals > 0 ? [approvals(terms, facts)] : []),
    changesRequested(facts),
    ...(terms.owners ? [ownersApproval(terms, facts)] : []),
    ...terms.statuses.map((required) => status(required, facts)),
    ...(terms.resolvedDiscussions ? [discussions(facts)] : []),
    ...(terms.approvedPlan ? [plan(facts)] : []),
    ...(facts.mergeability === undefined ? [] : [merges(facts.mergeability)]),
    ...(facts.merger ? [mayMerge(terms, facts, facts.merger)] : []),
  ];
}

export function isMet(requirements: readonly Requirement[]): boolean {
  return requirements.every((requirement) => requirement.isMet);
}

const DRAFT = unmet('draft', 'This is a draft', 'Mark it as ready for review.');

function met(kind: Requirement['kind'], title: string): Requirement {
  return { kind, isMet: true, title, detail: null, people: [], teams: [] };
}

function unmet(
  kind: Requirement['kind'],
  title: string,
  detail: string | null,
  people: Person[] = [],
  teams: Person[] = [],
): Requirement {
  return { kind, isMet: false, title, detail, people, teams };
}

const SECOND_PERSON = 'From someone who didn’t open, write, commit or push any of it.';

function approvals(terms: MergeRuleTerms, facts: MergeFacts): Requirement {
  const { counted, doubts } = countApprovals(terms, facts);
  const missing = terms.approvals - counted.length;
  const by = describeNames(counted.map(({ name }) => name));
  if (missing <= 0) {
    const own = counted.find(({ ownWork }) => ownWork === 'only_person');
    const note = own ? ', the only active person, to their own work' : '';
    return met('approvals', `Approved by ${by}${note}`);
  }
  const title =
    counted.length === 0
      ? `${plural(missing, 'approval')} needed`
      : `${missing} more ${missing === 1 ? 'approval' : 'approvals'} needed, approved by ${by}`;
  return unmet('approvals', title, [...doubts, hint(terms, facts)].join(' '));
}

function countApprovals(terms: MergeRuleTerms, facts: MergeFacts) {
  const given = [...standingVerdicts(facts.verdicts).values()].flatMap(({ approval }) => approval ?? []);
  const doubts = given.map((approval) => whyNotCounted(approval, terms, facts));
  return {
    counted: given.filter((_, index) => doubts[index] === null),
    doubts: new Set(doubts.flatMap((doubt) => doubt ?? [])),
  };
}

/** Met only if owners are known for these very commits and every line of the file could be read. */
function ownersApproval(terms: MergeRuleTerms, facts: MergeFacts): Requirement {
  const { owners } = facts;
  if (!owners?.isCurrent) return unmet('owners', 'Reading who owns the changed files', null);
  const [problem] = owners.problems;
  if (problem) {
    const line = problem.line === null ? '' : ` (line ${problem.line})`;
    return unmet(
      'owners',
      `CODEOWNERS can’t be read${line}`,
      `${asSentence(problem.reason)} ${repairing(facts)}`,
    );
  }
  const { counted } = countApprovals(terms, facts);
  const mayNot = (userId: string) => isOwnWorkOf(userId, terms, facts);
  const approverIds = new Set(counted.flatMap(({ userId }) => userId ?? []));
  const { missing } = approvalByOwners(owners, approverIds, mayNot);
  if (missing.length === 0)
    return met(
      'owners',
      owners.owned.length > 0 ? 'Approved by the code owners' : 'No changed file has owners',
    );
  const impossible = missing.filter(({ isImpossible }) => isImpossible);
  if (impossible.length > 0)
    return unmet(
      'owners',
      `Too few people can approve ${describeNames(impossible.map(({ owned }) => owned.pattern))}`,
      'Nobody who could review it owns it, or too few do: change CODEOWNERS, or whoever it names.',
    );
  const stuck = missing.filter(({ isOwnWork }) => isOwnWork);
  if (stuck.length > 0) {
    const writers = stuck.flatMap(({ owned }) =>
      owned.owners.flatMap(({ memberIds, name }) => (memberIds.some(mayNot) ? [name] : [])),
    );
    return unmet(
      'owners',
      `No other owner of ${describeNames(stuck.map(({ owned }) => owned.pattern))} can approve`,
      `${describeNames([...new Set(writers)])} opened, wrote, committed or pushed some of it. CODEOWNERS in the base branch has to name someone else, ${wayAround(facts)}`,
    );
  }
  const can = missing.map(({ missing: count, owned }) => ({
    pattern: owned.pattern,
    count,
    owners: owned.owners.filter(({ memberIds }) =>
      memberIds.some((id) => !mayNot(id) && !approverIds.has(id)),
    ),
  }));
  const named = (wanted: 'person' | 'team') => {
    const some = can.flatMap(({ owners: each }) =>
      each.flatMap(({ id, kind, name }) =>
        kind === wanted && id !== null ? [[id, { id, name }] as const] : [],
      ),
    );
    return [...new Map(some).values()];
  };
  const sentences = can.map(({ count, owners: each }) =>
    describeNames(
      each.map(({ name }) => name),
      count === 1 ? 'or' : 'and',
    ),
  );
  const patterns = describeNames(can.map(({ pattern }) => pattern));
  return unmet(
    'owners',
    can.length === 1 && can[0]!.count === 1
      ? `An owner of ${patterns} has to approve`
      : `Owners of ${patterns} have to approve`,
    new Set(sentences).size === 1
      ? `${sentences[0]} can approve.`
      : can
          .map(({ pattern }, index) => `${pattern}: ${sentences[index]} can approve.`)
          .slice(0, 3)
          .join(' '),
    named('person'),
    named('team'),
  );
}

/** Whether the rule refuses an approval by them because they had a part in it. */
function isOwnWorkOf(
  userId: string,
  terms: MergeRuleTerms,
  { onlyPersonId, ownWorkIds }: MergeFacts,
): boolean {
  return ownWorkIds.has(userId) && !(terms.allowOnlyPerson && onlyPersonId === userId);
}

function wayAround({ mergeability }: MergeFacts): string {
  return mergeability === undefined
    ? 'or whoever may merge without this check on the code host merges it.'
    : 'or an admin bypasses the rule, with a reason.';
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The file counts as it is at the base commit, so that nobody makes themselves its owner: a correction is blocked too. */
function repairing({ mergeability }: MergeFacts): string {
  return mergeability === undefined
    ? 'The file counts as it is in the base branch, so a pull request that corrects it is blocked too: whoever may merge without this check on the code host can merge the correction, or an admin can leave owners out of the merge rule until then.'
    : 'The file counts as it is in the base branch, so a pull request that corrects it is blocked too: an admin can bypass the rule to merge the correction, with a reason.';
}

function hint(terms: MergeRuleTerms, facts: MergeFacts): string {
  const { onlyPersonId, reviewersLeft } = facts;
  if (onlyPersonId === null) {
    if (reviewersLeft >= terms.approvals) return SECOND_PERSON;
    const left =
      reviewersLeft === 0
        ? 'Everyone who could approve this opened, wrote, committed or pushed some of it.'
        : `Only ${reviewersLeft === 1 ? '1 person' : `${reviewersLeft} people`} could approve this: everyone else opened, wrote, committed or pushed some of it.`;
    return `${left} Give someone else access as a member, ${wayAround(facts)}`;
  }
  return `${SECOND_PERSON} You are the only active person: invite someone, or let a merge rule accept your own approval.`;
}

/** Null if it counts. */
function whyNotCounted(approval: VerdictFact, terms: MergeRuleTerms, facts: MergeFacts): string | null {
  const { baseBranch, commit, keptForHead, name, ownWork, userId } = approval;
  if (approval.isReviewer !== true) return `${name} can no longer review this.`;
  if (ownWork === null) return `${name} approved before it was recorded whose work it was: approve again.`;
  const isAllowedOwn = ownWork === 'only_person' && terms.allowOnlyPerson && facts.onlyPersonId === userId;
  if (!isAllowedOwn && (ownWork !== 'no' || userId === facts.authorId))
    return `${name} approved their own work.`;
  if (baseBranch !== facts.baseBranch) return `${name} approved it for another base branch.`;
  if (facts.headCommit === null || commit === null) return `It is not known which commit ${name} approved.`;
  if (commit === facts.headCommit || (terms.keepApprovals && keptForHead === facts.headCommit)) return null;
  return `${name} approved an earlier commit.`;
}

function changesRequested({ verdicts }: MergeFacts): Requirement {
  const requests = [...standingVerdicts(verdicts).values()].flatMap(({ request }) => request ?? []);
  // Nobody could take back what a person said who has left.
  const open = requests.filter(({ isReviewer }) => isReviewer !== false);
  if (open.length === 0) return met('changes_requested', 'No changes requested');
  const names = describeNames(open.map(({ name }) => name));
  return unmet(
    'changes_requested',
    `${names} requested changes`,
    `${open.length === 1 ? 'It stands' : 'Each stands'} until they approve; if they have written some of it since, until they comment.`,
    open.flatMap(({ name, userId }) => (userId === null ? [] : [{ id: userId, name }])),
  );
}

const STATES = { pending: 'is pending', success: 'is successful', failure: 'failed', error: 'failed' };

function status(required: RequiredStatus, { people, statuses }: MergeFacts): Requirement {
  const { hostAccounts, name, userIds } = required;
  const sameName = statuses.filter((each) => isStatusNamed(each, name));
  const counted = sameName.filter(
    ({ hostAccount, isByAgent, userId }) =>
      !isByAgent &&
      ((userId !== null && userIds.includes(userId)) ||
        (hostAccount !== null && hostAccounts.some((account) => isSameAccount(account, hostAccount)))),
  );
  if (counted.length > 0 && counted.every(({ state }) => state === 'success'))
    return met('status', `${name} is successful`);
  const setters = userIds.flatMap((id) => (people.has(id) ? [{ id, name: people.get(id)! }] : []));
  const who = describeNames([...setters.map((person) => person.name), ...hostAccounts]);
  const by = who === '' ? 'Nobody can set it any more: change the merge rule.' : `Only ${who} can set it.`;
  const worst = counted.find(({ state }) => state !== 'success' && state !== 'pending') ?? counted[0];
  if (worst) return unmet('status', `${name} ${STATES[worst.state]}`, null, setters);
  if (sameName.length === 0) return unmet('status', `${name} is not set yet`, by, setters);
  const accounts = sameName.flatMap(({ hostAccount }) => hostAccount ?? []);
  const set = accounts.length > 0 ? `${describeNames(accounts)} set it. ` : '';
  return unmet('status', `${name} was set by someone who may not set it`, `${set}${by}`, setters);
}

/** Logins are not case-sensitive on any host. */
function isSameAccount(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function discussions({ unresolvedDiscussions: count }: MergeFacts): Requirement {
  if (count === 0) return met('discussions', 'All discussions are resolved');
  return unmet(
    'discussions',
    `${plural(count, 'discussion')} to resolve`,
    'A person has to resolve each; what was only found to be addressed is not enough.',
  );
}

function plan({ plans }: MergeFacts): Requirement {
  const open = plans.filter(({ isApproved }) => !isApproved);
  if (plans.length === 0)
    return unmet('plan', 'No plan is linked', 'Link the approved plan that this implements.');
  if (open.length === 0)
    return met('plan', plans.length === 1 ? 'The plan is approved' : 'All plans are approved');
  return unmet(
    'plan',
    `${describeNames(open.map(({ title }) => `“${title}”`))} ${open.length === 1 ? 'is' : 'are'} not approved`,
    'Someone has to approve the newest version.',
  );
}

function merges(mergeability: MergeabilityState): Requirement {
  switch (mergeability) {
    case 'clean':
      return met('mergeability', 'No conflicts with the base branch');
    case 'conflicts':
      return unmet('mergeability', 'Conflicts with the base branch', 'Resolve them in the head branch.');
    case 'checking':
      return unmet('mergeability', 'Checking for conflicts', null);
    case 'blocked':
      return unmet('mergeability', 'The code host says that it can’t be merged now', null);
    case 'unknown':
      return unmet('mergeability', 'Not known whether it conflicts with the base branch', null);
  }
}

const ROLE_NAMES = { member: 'Members', admin: 'Admins', owner: 'Owners' };

function mayMerge(
  { mergeRole, mergeUserIds }: MergeRuleTerms,
  { people }: MergeFacts,
  { role, userId }: { userId: string; role: Role },
): Requirement {
  const isNamed = mergeUserIds.includes(userId);
  if (hasRole(role, 'member') && (isNamed || (mergeRole !== null && hasRole(role, mergeRole))))
    return met('who_may_merge', 'You can merge this');
  const named = mergeUserIds.flatMap((id) => (people.has(id) ? [{ id, name: people.get(id)! }] : []));
  const who = describeNames([
    ...(mergeRole === null ? [] : [ROLE_NAMES[mergeRole]]),
    ...named.map(({ name }) => name),
  ]);
  return unmet(
    'who_may_merge',
    'You can’t merge this',
    who === '' ? 'The merge rule names nobody who is active: change it.' : `${who} can.`,
    named,
  );
}
