/** Who can approve a version: a second person, unless there is none or the organization allows self-approval. Pure. */

/** Why this person can't approve this version; undefined if they can. */
export function approvalBlockedBecause(
  person: { wroteContent: boolean; createdPlan: boolean },
  organization: { selfApproval: boolean; onlyActivePerson: boolean },
): string | undefined {
  if (organization.selfApproval || organization.onlyActivePerson) return undefined;
  if (person.wroteContent) return 'You wrote this version; someone else has to approve it.';
  if (person.createdPlan) return 'You created this plan; someone else has to approve it.';
  return undefined;
}
