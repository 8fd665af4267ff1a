/** A merge rule in words, one line for each thing that it needs. Pure. */
import type { CallOutput } from '../../api/client.ts';

type MergeRule = CallOutput<'list-merge-rules'>['rules'][number];

const LIST = new Intl.ListFormat('en');
const ROLES = { member: 'Members', admin: 'Admins', owner: 'Owners' };

export function describeRule(rule: MergeRule): string[] {
  const { approvals, mergePeople, mergeRole, statuses } = rule;
  const who = [...(mergeRole ? [ROLES[mergeRole]] : []), ...mergePeople.map(({ name }) => name)];
  return [
    approvals === 0 ? 'No approval' : `${approvals} ${approvals === 1 ? 'approval' : 'approvals'}`,
    ...(rule.owners ? ['Approval by code owners'] : []),
    ...statuses.map(({ hostAccounts, name, people }) => {
      const setters = [...people.map((person) => person.name), ...hostAccounts];
      return `Status ${name}, set by ${LIST.format(setters) || 'nobody who is active'}`;
    }),
    ...(rule.resolvedDiscussions ? ['Every discussion resolved by a person'] : []),
    ...(rule.approvedPlan ? ['An approved plan'] : []),
    ...(rule.keepApprovals ? ['Approvals count after a push that leaves the patch as it was'] : []),
    ...(rule.allowOnlyPerson ? ['The only active person can approve their own work'] : []),
    `${LIST.format(who) || 'Nobody who is active'} can merge`,
  ];
}
