/** Maps each inbox item to the setting that decides whether it is mailed. Pure. */
import type { InboxKind } from '../inbox/index.ts';
import { DIGEST_HOUR_UTC, type MailFrequencies, type MailTopic } from './contract.ts';

const TOPICS: Record<InboxKind, MailTopic> = {
  comment: 'comments',
  reply: 'replies',
  mentioned: 'mentions',
  assigned: 'reviewRequests',
  review_requested: 'reviewRequests',
  // A team is asked as a whole, so nobody in it is asked urgently.
  team_review_requested: 'updates',
  approved: 'decisions',
  changes_requested: 'decisions',
  review_dismissed: 'decisions',
  new_version: 'updates',
  new_commits: 'updates',
  conflicts: 'decisions',
  leaked_secret: 'decisions',
  merged: 'updates',
  merge_stopped: 'decisions',
  closed: 'updates',
  watched: 'watching',
  team_watched: 'watching',
  credential_refused: 'decisions',
};

export const DEFAULT_FREQUENCIES: MailFrequencies = {
  comments: 'now',
  replies: 'now',
  mentions: 'now',
  reviewRequests: 'now',
  decisions: 'now',
  updates: 'daily',
  watching: 'daily',
};

export function frequencyOf(kind: InboxKind, frequencies: MailFrequencies) {
  return frequencies[TOPICS[kind]];
}

/** The next time that daily mail is sent. */
export function nextDigest(now: Date): Date {
  const at = new Date(now);
  at.setUTCHours(DIGEST_HOUR_UTC, 0, 0, 0);
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}
