/** Adds up each person's verdicts: an approval that stands, or a request for changes that does. Pure. */

export interface VerdictFact {
  /** The same for a member and their accounts on code hosts. */
  person: string;
  /** Null unless the verdict was given here. */
  userId: string | null;
  name: string;
  isBot: boolean;
  /** Whether the member is active, may review, and sees the repository; null if no member is known. */
  isReviewer: boolean | null;
  verdict: 'approved' | 'changes_requested';
  isDismissed: boolean;
  commit: string | null;
  keptForHead: string | null;
  baseBranch: string | null;
  ownWork: 'no' | 'self_approval' | 'only_person' | null;
}

export interface Standing {
  /** The newest given here, unless the person took it back. */
  approval: VerdictFact | null;
  request: VerdictFact | null;
}

/**
 * `verdicts` in the order in which they were given. An approval given on a code host ends the person's request for changes, and is none
 * here. What is dismissed brings nothing earlier back. Verdicts of robots count for nothing.
 */
export function standingVerdicts(verdicts: readonly VerdictFact[]): Map<string, Standing> {
  const standings = new Map<string, Standing>();
  for (const verdict of verdicts) {
    if (verdict.isBot) continue;
    const before = standings.get(verdict.person) ?? { approval: null, request: null };
    standings.set(verdict.person, { ...before, ...changeBy(verdict) });
  }
  return standings;
}

function changeBy(verdict: VerdictFact): Partial<Standing> {
  if (verdict.verdict === 'changes_requested')
    return { approval: null, request: verdict.isDismissed ? null : verdict };
  if (verdict.isDismissed) return verdict.userId === null ? {} : { approval: null, request: null };
  return verdict.userId === null ? { request: null } : { approval: verdict, request: null };
}
