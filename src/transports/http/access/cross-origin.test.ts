/** Which requests a browser may send on its own: those of our own pages. */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { refuseCrossOrigin } from './cross-origin.ts';

const BASE = 'https://review.acme.test';
const outcome = (headers: IncomingHttpHeaders, method = 'POST') => {
  try {
    refuseCrossOrigin(method, headers, BASE);
    return 'passes';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a request', () => {
  it.each<[string, IncomingHttpHeaders]>([
    ['a client that is no browser', {}],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: BASE }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['our own page in an old browser', { origin: BASE }],
    [
      'our own page under the address it was reached by',
      { origin: 'http://10.0.0.5:4000', host: '10.0.0.5:4000' },
    ],
  ])('of %s passes', (_, headers) => {
    expect(outcome(headers)).toBe('passes');
  });

  it.each<[string, IncomingHttpHeaders]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://other.acme.test' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: BASE }],
    ['another site in an old browser', { origin: 'https://evil.example', host: 'review.acme.test' }],
    ['our host on another port', { origin: 'https://review.acme.test:8443', host: 'review.acme.test' }],
    ['our name as a prefix', { origin: 'https://review.acme.test.evil.example', host: 'review.acme.test' }],
    ['a page without an origin', { origin: 'null', host: 'null' }],
    ['a page whose origin cannot be read', { origin: 'review.acme.test', host: 'review.acme.test' }],
    ['Fetch Metadata nobody knows', { 'sec-fetch-site': 'unknown' }],
    ['an origin, where no host was sent', { origin: 'https://evil.example' }],
  ])('of %s is refused', (_, headers) => {
    expect(outcome(headers)).toBe('cross_origin');
  });

  it('that changes nothing passes from anywhere', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(outcome({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, method)).toBe(
        'passes',
      );
    }
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      expect(outcome({ 'sec-fetch-site': 'cross-site' }, method)).toBe('cross_origin');
    }
  });
});
