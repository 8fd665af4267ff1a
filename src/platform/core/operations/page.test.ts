/** Cursors are read as they were written, and nothing else is accepted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { Problem } from '../errors/errors.ts';
import { cutPage, readCursor, writeCursor } from './page.ts';
import { isUuid } from './shapes.ts';

const any = () => true;

describe('a cursor', () => {
  it('contains what was written into it, for any values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, maxLength: 4 }), (values) => {
        expect(
          readCursor(
            writeCursor(values),
            values.map(() => any),
          ),
        ).toEqual(values);
      }),
    );
  });

  it('is text that needs no encoding in a query string', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (values) => {
        expect(writeCursor(values)).toMatch(/^[\w-]*$/);
      }),
    );
  });

  it('is absent on the first page', () => {
    expect(readCursor(undefined, [any])).toBeUndefined();
  });

  it('with another number of values, or values of another type, is an invalid request', () => {
    for (const wrong of [[], ['a', 'b'], ['no-uuid']]) {
      expect(() => readCursor(writeCursor(wrong), [isUuid])).toThrow(Problem);
    }
  });

  it('that we never wrote is an invalid request', () => {
    const notOurs = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
    );
    fc.assert(
      fc.property(notOurs, (cursor) => {
        expect(() => readCursor(cursor, [isUuid])).toThrow(
          expect.objectContaining({
            code: 'invalid_request',
            errors: [{ path: 'cursor', message: 'is not a valid cursor for this list' }],
          }),
        );
      }),
    );
  });
});

describe('cutPage', () => {
  it('returns each row of any list once and in order, with pages of any size', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer(), { maxLength: 50 }),
        fc.integer({ min: 1, max: 10 }),
        (rows, limit) => {
          const seen: number[] = [];
          let cursor: string | undefined;
          do {
            const after = readCursor(cursor, [any])?.[0];
            const start = after === undefined ? 0 : rows.indexOf(Number(after)) + 1;
            const { page, nextCursor } = cutPage(rows.slice(start, start + limit + 1), limit, (row) => [
              String(row),
            ]);
            expect(page.length).toBeLessThanOrEqual(limit);
            seen.push(...page);
            cursor = nextCursor ?? undefined;
          } while (cursor !== undefined);
          expect(seen).toEqual(rows);
        },
      ),
    );
  });
});
