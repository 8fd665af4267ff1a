/** How long things are kept. */

import { DAY_MS } from '../text/durations.ts';

/** In days; 0 keeps them forever. */
export interface Retention {
  events: number;
  plannerSessions: number;
  auditEvents: number;
  webhookDeliveries: number;
  mails: number;
}

export const DEFAULT_RETENTION: Retention = {
  events: 0,
  plannerSessions: 0,
  auditEvents: 0,
  webhookDeliveries: 30,
  mails: 30,
};

/** How long a session lasts without use, and at most. */
export interface SessionLife {
  idleMs: number;
  maxDurationMs: number;
}

export const DEFAULT_SESSION_DAYS = { idle: 14, max: 90 };
export const sessionLifeOf = (days: { idle: number; max: number }): SessionLife => ({
  idleMs: days.idle * DAY_MS,
  maxDurationMs: days.max * DAY_MS,
});

/** Older rows are deleted; undefined if none are. */
export function keptSince(now: Date, days: number): Date | undefined {
  return days === 0 ? undefined : new Date(now.getTime() - days * DAY_MS);
}
