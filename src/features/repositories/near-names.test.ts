/** Suggestions for an unknown repository name. */
import { describe, expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

const names = [
  'acme/api',
  'acme/api-gateway',
  'acme/web',
  'platform/billing',
  'platform/billing-ui',
  'Tools',
];

describe('nearNames', () => {
  it.each([
    ['apii', ['acme/api']],
    ['acme/apii', ['acme/api']],
    ['other/api', ['acme/api', 'acme/api-gateway']],
    ['gateway', ['acme/api-gateway']],
    ['biling', ['platform/billing']],
    ['plaform/billing', ['platform/billing', 'platform/billing-ui']],
    ['tolos', ['Tools']],
    ['ACME/WBE', ['acme/web']],
    ['kubernetes', []],
    ['', []],
    ['/', []],
    ['x'.repeat(300), []],
  ])('suggests for %s: %j', (wanted, expected) => {
    expect(nearNames(wanted, names)).toEqual(expected);
  });

  it('suggests at most five, most similar first', () => {
    const many = Array.from({ length: 20 }, (_, index) => `acme/service-${index}`);
    expect(nearNames('servce-1', many)[0]).toBe('acme/service-1');
    expect(nearNames('service', many)).toHaveLength(5);
  });
});
