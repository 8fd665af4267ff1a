/**
 * Times as text, in the reader's time zone. Written by hand: a browser takes 20 to 30 ms to prepare the formats of `Intl`, and every
 * page shows a time.
 */

const WEEK_SECONDS = 604_800;
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `3 hours ago`, and the date for what is a week or more away. */
export function formatTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) >= WEEK_SECONDS)
    return at.getFullYear() === now.getFullYear() ? dayOf(at) : `${dayOf(at)}, ${at.getFullYear()}`;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative(Math.trunc(seconds / size), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}

/** `Nov 16, 2026, 9:05:07 PM`. */
export function formatMoment(at: Date): string {
  const [hours, minutes, seconds] = [at.getHours(), at.getMinutes(), at.getSeconds()];
  const clock = [hours % 12 || 12, twoDigits(minutes), twoDigits(seconds)].join(':');
  return `${dayOf(at)}, ${at.getFullYear()}, ${clock} ${hours < 12 ? 'AM' : 'PM'}`;
}

function relative(count: number, unit: string): string {
  if (unit === 'day' && Math.abs(count) === 1) return count < 0 ? 'yesterday' : 'tomorrow';
  const amount = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
  return count < 0 ? `${amount} ago` : `in ${amount}`;
}

const dayOf = (at: Date) => `${MONTHS[at.getMonth()]} ${at.getDate()}`;
const twoDigits = (count: number) => String(count).padStart(2, '0');
