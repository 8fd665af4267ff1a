/** Who can approve a pull request or request changes: a second person, unless there is none. Pure. */
import type { OwnCommit } from '../../../platform/core/ports/code-differences.ts';

/** The part that a person had in the changes. */
export interface PartInIt {
  isOpener: boolean;
  hasPushed: boolean;
  ownCommit: OwnCommit | null;
}

/** Why this verdict is not allowed; undefined if it is. */
export function reviewBlockedBecause(
  verdict: 'approved' | 'changes_requested' | 'commented',
  person: PartInIt,
  organization: { selfApproval: boolean; onlyActivePerson: boolean },
): string | undefined {
  if (verdict === 'changes_requested' && person.isOpener)
    return "You can't request changes on your own pull request.";
  if (verdict !== 'approved' || organization.selfApproval || organization.onlyActivePerson) return undefined;
  return ownWorkBecause(person);
}

/** Why an approval would be one of the person's own work; undefined if it wouldn't. */
export function ownWorkBecause(person: PartInIt): string | undefined {
  const part = partIn(person);
  return part && `${part}; someone else has to approve it.`;
}

/** The part that the person had in the changes; undefined if they had none. */
export function partIn(person: PartInIt): string | undefined {
  if (person.isOpener) return 'You opened this pull request';
  if (person.hasPushed) return 'You pushed to this pull request, or a suggestion of yours was applied';
  if (!person.ownCommit) return undefined;
  const { commit, how } = person.ownCommit;
  return `You ${how} commit ${commit.slice(0, 12)} of this pull request`;
}
