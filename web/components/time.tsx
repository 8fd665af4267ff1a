/** A relative time; the exact time is in the tooltip and in the markup. */
import { useEffect, useState } from 'react';

const WEEK_SECONDS = 604_800;
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

export function formatTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) >= WEEK_SECONDS)
    return (at.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR).format(at);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}

export function Time({ at }: { at: string }) {
  const [, update] = useState({});
  useEffect(() => {
    const timer = setInterval(() => update({}), 30_000);
    return () => clearInterval(timer);
  }, []);
  const moment = new Date(at);
  return (
    <time className="whitespace-nowrap text-quiet" dateTime={at} title={EXACT.format(moment)}>
      {formatTime(moment, new Date())}
    </time>
  );
}
