/** Addresses that people write by hand or get from others: what of them a page accepts. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isOwnPath, readAuditSearch } from './page-search.ts';

describe('the address to return to', () => {
  beforeAll(() => void vi.stubGlobal('location', new URL('https://countersign.example/sign-in')));
  afterAll(() => void vi.unstubAllGlobals());

  it.each([
    '//evil.example/',
    'https://evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'settings/account',
  ])('cannot be %j', (path) => {
    expect(isOwnPath(path)).toBe(false);
  });

  it.each(['/', '/settings/audit?action=api_key.created', '/plans#evil.example'])('can be %j', (path) => {
    expect(isOwnPath(path)).toBe(true);
  });
});

describe('the filters of the audit log', () => {
  it.each([
    [{ from: 'yesterday' }, {}],
    [{ from: '2026-99-99' }, {}],
    [{ action: ['1'], userId: 5 }, {}],
    [{ action: { a: 1 } }, {}],
    [
      { action: 'nonsense', until: '2026-01-31' },
      { action: 'nonsense', until: '2026-01-31' },
    ],
  ])('of %j are %j', (written, read) => {
    expect(readAuditSearch(written)).toEqual(read);
  });
});
