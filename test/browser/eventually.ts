/** What becomes true by itself, however busy the machine is. */
import { expect } from 'vitest';

const WITHIN_MS = 20_000;

export function eventually<Value>(read: () => Value, message?: string) {
  return expect.poll(read, { timeout: WITHIN_MS, ...(message !== undefined && { message }) });
}
