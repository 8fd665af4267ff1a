/** Lists in pages: a cursor names the last row that was shown, so that rows added meanwhile shift nothing. */
import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import { isUuid, text } from './shapes.ts';

export const PAGE_INPUT = {
  cursor: text({ max: 1000 }).optional().describe('The `nextCursor` of the page before.'),
  limit: z.int().min(1).max(200).optional().describe('Entries on a page, 50 unless told.'),
};

export const DEFAULT_LIMIT = 50;

export function nextCursorShape() {
  return z.string().nullable().describe('Send it as `cursor` for the next page; null when this is the last.');
}

export function writeCursor(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** The values of a cursor, each of which the check must accept; a cursor we never wrote is an invalid request. */
export function readCursor(
  cursor: string | undefined,
  checks: ((value: string) => boolean)[],
): string[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (
      Array.isArray(values) &&
      values.length === checks.length &&
      values.every((value, index) => typeof value === 'string' && checks[index]!(value))
    ) {
      return values;
    }
  } catch {
    // Falls through: whatever it is, it is not a cursor of ours.
  }
  throw invalidRequest([{ path: 'cursor', message: 'is not a cursor of this list' }]);
}

/** The cursor of a list that is ordered by a time and then by id. */
export function readTimeCursor(cursor: string | undefined): { at: Date; id: string } | undefined {
  const values = readCursor(cursor, [isTimestamp, isUuid]);
  return values && { at: new Date(values[0]!), id: values[1]! };
}

export function timeCursorOf(at: Date, id: string): string[] {
  return [at.toISOString(), id];
}

function isTimestamp(value: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Cuts a query that asked for one row more than the page holds. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string[]) {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? writeCursor(cursorOf(page[page.length - 1]!)) : null };
}
