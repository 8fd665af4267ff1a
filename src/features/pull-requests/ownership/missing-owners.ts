/** Which owned paths still need an approval by their owners. Pure. */
import type { OwnedByNames, PullRequestOwners } from './select-owners.ts';

export interface MissingOwners {
  owned: OwnedByNames;
  /** How many more owners must approve. */
  missing: number;
  /** Nobody who could approve owns it, or too few: it can't be met until CODEOWNERS, members or teams change. */
  isImpossible: boolean;
  /** The same, because too many of its owners have written some of the changes. */
  isOwnWork: boolean;
}

export interface OwnersApproval {
  /** False as long as owners are not read for these commits, something in the file can't be read, or an approval is missing. */
  isMet: boolean;
  missing: MissingOwners[];
}

/**
 * `approverIds` are the members whose approval counts. On GitHub and Gitea one owner of each path is enough; on GitLab each rule needs as many as
 * its section says, and none if the section is optional. Whose own work it is can't approve it.
 */
export function approvalByOwners(
  owners: PullRequestOwners,
  approverIds: ReadonlySet<string>,
  isOwnWorkOf: (userId: string) => boolean = () => false,
): OwnersApproval {
  const missing = owners.owned.flatMap((owned): MissingOwners[] => {
    const memberIds = new Set(owned.owners.flatMap((owner) => owner.memberIds));
    const approved = [...memberIds].filter((id) => approverIds.has(id)).length;
    const count = owned.required - approved;
    if (count <= 0) return [];
    const others = [...memberIds].filter((id) => !isOwnWorkOf(id));
    const isImpossible = memberIds.size < owned.required;
    const isOwnWork = !isImpossible && others.length < owned.required;
    return [{ owned, missing: count, isImpossible, isOwnWork }];
  });
  return { isMet: owners.isCurrent && owners.problems.length === 0 && missing.length === 0, missing };
}
