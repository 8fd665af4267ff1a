/** The first load: small scripts, cached forever, compressed, with a strict policy and no layout shifts. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectSteadyLayout, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme } = service;

const MAX_SCRIPT_BYTES = 200_000;

describe('script', () => {
  it.each([
    ['/sign-in', 'Sign in', undefined],
    ['/', /Welcome/, acme.owner],
  ] as const)('that is loaded before %s works is less than 200 kB gzipped', async (path, heading, as) => {
    const { page } = await newPerson(service.url, { as, unused: true });
    const loaded: Promise<{ url: string; bytes: number }>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      loaded.push(response.body().then((body) => ({ url: response.url(), bytes: gzipSync(body).length })));
    });
    await page.goto(path);
    await untilLoaded(page, heading);
    const files = await Promise.all(loaded);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(files.length).toBeGreaterThan(0);
    expect(bytes, JSON.stringify(files)).toBeLessThan(MAX_SCRIPT_BYTES);
  });
});

describe('delivery', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    service.request('GET', path, { headers: { accept: 'text/html', ...headers } });
  const assetsOf = (html: string) =>
    [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);

  it('hashed files are cached forever and sent with the best compression that the browser supports', async () => {
    const { body } = await get('/sign-in');
    expect(assetsOf(body).length).toBeGreaterThan(1);
    for (const path of assetsOf(body)) {
      const reply = await get(path, { 'accept-encoding': 'br, gzip' });
      expect(reply.headers.get('cache-control'), path).toBe('public, max-age=31536000, immutable');
      if (reply.body.length > 1024)
        expect(reply.headers.get('content-encoding'), path).toMatch(/^(br|gzip)$/);
      const plain = await get(path, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding'), path).toBeNull();
      expect(plain.body === reply.body, `${path} is the same either way`).toBe(true);
    }
  });

  it('pages and files without a hash are revalidated each time', async () => {
    for (const path of ['/', '/sign-in', '/settings/people', '/nowhere', '/icon.svg'])
      expect((await get(path)).headers.get('cache-control'), path).toBe('no-cache');
    const etag = (await get('/icon.svg')).headers.get('etag')!;
    expect((await get('/icon.svg', { 'if-none-match': etag })).status).toBe(304);
  });

  it('every page has its own policy: no unsafe scripts, no other origins, a unique nonce', async () => {
    const nonces = new Set<string>();
    for (const path of ['/', '/', '/sign-in', '/nowhere']) {
      const { body, headers } = await get(path);
      const policy = headers.get('content-security-policy')!;
      const nonce = /'nonce-([^']+)'/.exec(policy)![1]!;
      nonces.add(nonce);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(body).not.toContain('NONCE');
      for (const [tag, code] of body.matchAll(/<script[^>]*>([^<]*)/g)) {
        expect(tag).toContain(`nonce="${nonce}"`);
        // Only the theme is inline: without it, a dark page would be white first.
        if (!tag.includes(' src="/assets/')) expect(code).toContain('countersign-theme');
      }
      expect([...body.matchAll(/<script(?! [^>]*src=)/g)]).toHaveLength(1);
      expect(body).not.toMatch(/<style| style=| on\w+=/);
    }
    expect(nonces.size).toBe(4);
  });

  it('the policy works: an inline script, a foreign image and a foreign request are blocked and reported', async () => {
    const { allow, page } = await newPerson(service.url, { unused: true });
    allow(/Content.Security.Policy|elsewhere: https:\/\/elsewhere.example|request failed: csp/i);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.goto('/sign-in');
    await untilLoaded(page, 'Sign in');
    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'globalThis.pwned = 1';
      document.body.append(script);
      const image = new Image();
      image.src = 'https://elsewhere.example/x.png';
      document.body.append(image);
      fetch('https://elsewhere.example/').catch(() => undefined);
    }`);
    for (const directive of ['script-src', 'img-src', 'connect-src'])
      await expect
        .poll(() => logged.some((line) => line.startsWith(`Content-Security-Policy violated: ${directive}`)))
        .toBe(true);
    await expect(page.evaluate('globalThis.pwned')).resolves.toBeUndefined();
  });
});

describe.each([
  ['on a desk', false],
  ['on a phone', true],
])('no layout shifts while a page loads %s', (_where, phone) => {
  it.each([
    '/sign-in',
    '/',
    '/inbox',
    '/plans',
    '/repositories',
    '/settings/account',
    '/settings/people',
    '/settings/audit',
    '/settings/webhooks',
    '/settings/organization',
  ])('%s', async (path) => {
    const { page } = await newPerson(service.url, { phone, as: acme.owner });
    await page.goto(path);
    await untilLoaded(page, /./);
    await expectSteadyLayout(page);
  });
});
