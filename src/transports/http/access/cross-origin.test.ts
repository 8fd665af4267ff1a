/** Cross-site request protection: browsers may send requests only from our own pages. */
import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { refuseCrossOrigin } from './cross-origin.ts';

const BASE = 'https://review.acme.test';
const outcome = (headers: IncomingHttpHeaders, method = 'POST') => {
  try {
    refuseCrossOrigin(method, headers, BASE);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('a request', () => {
  it.each<[string, IncomingHttpHeaders]>([
    ['a client other than a browser', {}],
    ['our own page', { 'sec-fetch-site': 'same-origin', origin: BASE }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['our own page in an old browser', { origin: BASE }],
    ['our own page, opened by IP address', { origin: 'http://10.0.0.5:4000', host: '10.0.0.5:4000' }],
  ])('from %s is accepted', (_, headers) => {
    expect(outcome(headers)).toBe('accepted');
  });

  it.each<[string, IncomingHttpHeaders]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://other.acme.test' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: BASE }],
    ['another site in an old browser', { origin: 'https://evil.example', host: 'review.acme.test' }],
    ['our host on another port', { origin: 'https://review.acme.test:8443', host: 'review.acme.test' }],
    ['our name as a prefix', { origin: 'https://review.acme.test.evil.example', host: 'review.acme.test' }],
    ['a page without an origin', { origin: 'null', host: 'null' }],
    ['a page with a malformed origin', { origin: 'review.acme.test', host: 'review.acme.test' }],
    ['unknown Fetch Metadata', { 'sec-fetch-site': 'unknown' }],
    ['an origin without a Host header', { origin: 'https://evil.example' }],
  ])('from %s is refused', (_, headers) => {
    expect(outcome(headers)).toBe('cross_origin');
  });

  it('with a safe method is accepted from anywhere', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      expect(outcome({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, method)).toBe(
        'accepted',
      );
    }
    for (const method of ['POST', 'PATCH', 'DELETE', 'PUT']) {
      expect(outcome({ 'sec-fetch-site': 'cross-site' }, method)).toBe('cross_origin');
    }
  });
});
