/** Polls for an expectation, with a timeout that allows for a busy machine. */
import { expect } from 'vitest';

const WITHIN_MS = 20_000;

export function eventually<Value>(read: () => Value, message?: string) {
  return expect.poll(read, { timeout: WITHIN_MS, ...(message !== undefined && { message }) });
}
