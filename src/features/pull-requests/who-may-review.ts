/** Who can approve a pull request or request changes: a second person, unless there is none. Pure. */

/** Why this verdict is not allowed; undefined if it is. */
export function reviewBlockedBecause(
  verdict: 'approved' | 'changes_requested' | 'commented',
  isAuthor: boolean,
  organization: { selfApproval: boolean; onlyActivePerson: boolean },
): string | undefined {
  if (!isAuthor || verdict === 'commented') return undefined;
  if (verdict === 'changes_requested') return "You can't request changes on your own pull request.";
  if (organization.selfApproval || organization.onlyActivePerson) return undefined;
  return 'You opened this pull request; someone else has to approve it.';
}
