/** Cursor pagination: a cursor names the last row returned, so that rows added in the meantime shift nothing. */
import { z } from 'zod';
import { invalidRequest } from '../errors/errors.ts';
import { isUuid, text } from './shapes.ts';

export const PAGE_INPUT = {
  cursor: text({ max: 1000 }).optional().describe('The `nextCursor` of the previous page.'),
  limit: z.int().min(1).max(200).optional().describe('Entries per page, default 50.'),
};

export const DEFAULT_LIMIT = 50;

export function nextCursorShape() {
  return z.string().nullable().describe('Send it as `cursor` to get the next page; null on the last page.');
}

export function writeCursor(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/** The values of a cursor, each accepted by its check; a cursor we did not write is an invalid request. */
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
    // Falls through: not one of our cursors.
  }
  throw invalidRequest([{ path: 'cursor', message: 'is not a valid cursor for this list' }]);
}

/** The cursor of a list ordered by time and then by id. */
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

/** Cuts the result of a query that requested one row more than the page size. */
export function cutPage<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => string[]) {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? writeCursor(cursorOf(page[page.length - 1]!)) : null };
}
