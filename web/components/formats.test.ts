/** Times and numbers as the web app writes them, compared with what `Intl` writes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNumber } from './format-number.ts';
import { formatMoment, formatTime } from './format-time.ts';

const DAY_MS = 86_400_000;
const moments = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

it('writes a count with separators', () => {
  fc.assert(
    fc.property(fc.integer(), (count) => {
      expect(formatNumber(count)).toBe(count.toLocaleString('en'));
    }),
  );
  expect([0, 999, 1000, 12_345.6, -1000].map(formatNumber)).toEqual([
    '0',
    '999',
    '1,000',
    '12,345.6',
    '-1,000',
  ]);
});

it('writes what is less than a week away relative to now', () => {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const units = [
    ['day', DAY_MS],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  fc.assert(
    fc.property(moments, fc.integer({ min: -7 * DAY_MS + 1, max: 7 * DAY_MS - 1 }), (now, away) => {
      const unit = units.find(([, size]) => Math.abs(away) >= size);
      const expected = unit
        ? relative.format(Math.trunc(away / unit[1]), unit[0])
        : away > 0
          ? 'in a moment'
          : 'just now';
      expect(formatTime(new Date(now.getTime() + away), now)).toBe(expected);
    }),
  );
});

it('writes the date of what is further away, and the exact time in full', () => {
  const thisYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
  const otherYear = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
  const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
  fc.assert(
    fc.property(moments, fc.integer({ min: 7, max: 1000 }), fc.boolean(), (now, days, isPast) => {
      const at = new Date(now.getTime() + (isPast ? -days : days) * DAY_MS);
      const format = at.getFullYear() === now.getFullYear() ? thisYear : otherYear;
      expect(formatTime(at, now)).toBe(format.format(at));
      // Intl separates AM and PM by a narrow space.
      expect(formatMoment(at)).toBe(exact.format(at).replace('\u202f', ' '));
    }),
  );
});
