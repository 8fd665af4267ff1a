/**
 * Follows decisions that people make on the code host: `recheck` in a comment reviews the newest commit again; `won't fix` in a reply,
 * with a reason behind it if there is one, and a 👎 dismiss a finding. It counts if the account is linked to an active member who may
 * dismiss here too. Bots, viewers and strangers can't dismiss anything.
 */
import { isRecheck, type PullRequestChange, requestRecheck } from '../../pull-requests/index.ts';
import { REVIEW_LIMITS } from '../contract.ts';
import { decideFinding } from './decide-finding.ts';
import { hasDecided, selectDecider } from './decision-store.ts';

const WONT_FIX = /^\s*won['’]?t[ -]?fix\b[\s.,:;!–—-]*/i;

/** The reason, which can be empty; null if the reply dismisses nothing. */
export function readWontFix(body: string): string | null {
  return WONT_FIX.test(body) ? body.replace(WONT_FIX, '').trim() : null;
}

/** A comment or reply. Null: it is in no discussion. */
export async function decideOnHost(
  change: PullRequestChange,
  comment: { discussionId: string | null; body: string; isBot: boolean; userId: string | null },
): Promise<void> {
  const { body, discussionId, isBot, userId } = comment;
  const note = discussionId === null ? null : readWontFix(body);
  const asksAgain = isRecheck(body);
  if ((note === null && !asksAgain) || isBot || userId === null) return;
  const by = await selectDecider(change.db, change.pullRequest.organization_id, userId);
  if (!by) return;
  if (asksAgain) requestRecheck(change, userId);
  if (note === null || discussionId === null) return;
  await decideFinding(change, {
    ...{ discussionId, reason: 'not_worth_it', scope: 'repository' },
    note: note === '' ? null : note.slice(0, REVIEW_LIMITS.noteCharacters),
    by: { userId, name: by.name },
  });
}

/** 👎 on a finding. It is read at every sync but counts only once, so it doesn't undo a later reopening. */
export async function decideByReaction(
  change: PullRequestChange,
  discussionId: string,
  reactions: readonly { isBot: boolean; userId: string | null }[],
): Promise<void> {
  for (const { isBot, userId } of reactions) {
    if (isBot || userId === null || (await hasDecided(change.db, discussionId, userId))) continue;
    const by = await selectDecider(change.db, change.pullRequest.organization_id, userId);
    if (!by) continue;
    const decision = { discussionId, reason: 'not_worth_it', scope: 'repository', note: null } as const;
    const { kind } = await decideFinding(change, { ...decision, by: { userId, name: by.name } });
    if (kind === 'decided') return;
  }
}
