/** Recognizes errors that mean that PostgreSQL is temporarily unavailable. */
import { expect, it } from 'vitest';
import { isOutage } from './index.ts';

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('%s: an outage', (message) => {
  expect(isOutage(new Error(message))).toBe(true);
});

it.each(['relation "plans" does not exist', 'The Connection terminated'])('%s: a fault', (message) => {
  expect(isOutage(new Error(message))).toBe(false);
});
