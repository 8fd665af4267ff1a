/** Who may approve a version: a second person, unless the organization allows otherwise. Pure. */

/** Why this person may not approve this version; undefined when they may. */
export function approvalBlockedBecause(
  userId: string,
  version: { authorId: string; planCreatedBy: string },
  selfApproval: boolean,
): string | undefined {
  if (selfApproval) return undefined;
  if (userId === version.authorId) return 'You wrote this version; someone else has to approve it.';
  if (userId === version.planCreatedBy) return 'You created this plan; someone else has to approve it.';
  return undefined;
}
