/** Version 7 UUIDs: they sort by creation time and are monotonic within a process. */
import { randomFillSync } from 'node:crypto';

const pool = Buffer.alloc(1024);
let used = pool.length;
let lastMs = 0;
/** The time part as text, cached for its millisecond, because many are created within one. */
let lastTime = '';
let writtenMs = -1;
let sequence = 0;

export function uuidv7(nowMs: number = Date.now()): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + 10);
  used += 10;

  if (nowMs > lastMs) {
    lastMs = nowMs;
    sequence = random.readUInt16BE(8) & 0x7ff;
  } else {
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = 0;
    }
  }
  if (lastMs !== writtenMs) {
    const digits = lastMs.toString(16).padStart(12, '0');
    lastTime = `${digits.slice(0, 8)}-${digits.slice(8)}-`;
    writtenMs = lastMs;
  }
  const counter = (0x7000 | sequence).toString(16);
  const variant = (0x8000 | (random.readUInt16BE(0) & 0x3fff)).toString(16);
  const tail = random.toString('hex', 2, 8);
  return `${lastTime}${counter}-${variant}-${tail}`;
}
