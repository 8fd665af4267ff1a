/** Version 7 UUIDs: they sort by creation time and are monotonic within a process. */
import { randomFillSync } from 'node:crypto';

/** Random digits, 20 for each UUID: made in advance for many, which is faster. */
const DIGITS = 20;
const pool = Buffer.alloc(100 * (DIGITS / 2));
let digits = '';
let used = 0;
let lastMs = 0;
/** The time part as text, cached for its millisecond, because many are created within one. */
let lastTime = '';
let writtenMs = -1;
let sequence = 0;
const VARIANTS = ['8', '9', 'a', 'b'];

export function uuidv7(nowMs: number = Date.now()): string {
  if (used === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    used = 0;
  }
  const start = used;
  used += DIGITS;

  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = Number.parseInt(digits.slice(start + 16, start + 20), 16) & 0x7ff;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  if (lastMs !== writtenMs) {
    const time = lastMs.toString(16).padStart(12, '0');
    lastTime = `${time.slice(0, 8)}-${time.slice(8)}-`;
    writtenMs = lastMs;
  }
  const counter = (0x7000 | sequence).toString(16);
  const variant = VARIANTS[digits.charCodeAt(start) & 3]!;
  return `${lastTime}${counter}-${variant}${digits.slice(start + 1, start + 4)}-${digits.slice(start + 4, start + 16)}`;
}
