/** Sizes and counts as text. */
import { formatNumber } from '../../components/format-number.ts';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < UNITS.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || amount >= 100 ? Math.round(amount) : Math.round(amount * 10) / 10;
  return shown === 1 && unit === 0 ? '1 byte' : `${formatNumber(shown)} ${UNITS[unit]}`;
}

export function formatCount(count: number, what: string, many = `${what}s`): string {
  return `${formatNumber(count)} ${count === 1 ? what : many}`;
}
