/** The pages under /docs and the OpenAPI document, without a credential. */
import { describe, expect, test } from 'vitest';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { PROBLEMS } from '../../../platform/core/errors/errors.ts';

const service = await startTestService();
const get = (path: string, headers: Record<string, string> = {}) => service.request('GET', path, { headers });

describe('200', () => {
  test('the OpenAPI document is public and has the address of the service', async () => {
    const answer = await get('/api/v2/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.body.servers).toEqual([{ url: service.url }]);
  });

  test.each(['/docs', '/docs/', '/docs/errors', '/docs/errors/'])('%s is a page', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test.each(['/docs', '/docs/errors'])(
    '%s loads everything from our own origin and has no inline script or style',
    async (path) => {
      const answer = await get(path);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.body).not.toMatch(/<style|style=|<script>|\son\w+=/);
      const loaded = [...answer.body.matchAll(/(?:src|<link [^>]*href)="([^"]+)"/g)].map((match) => match[1]);
      expect(loaded.length).toBeGreaterThan(1);
      for (const address of loaded) {
        expect(address).toMatch(/^\/docs\/assets\//);
        const asset = await get(address);
        expect([address, asset.status]).toEqual([address, 200]);
        expect(asset.headers.get('cache-control')).toMatch(/^(no-cache|public, max-age=\d+)$/);
      }
    },
  );

  test('the errors page has an anchor for every code, which the type of a problem links to', async () => {
    const page = await get('/docs/errors');
    for (const code of Object.keys(PROBLEMS)) expect(page.body).toContain(`id="${code}"`);
    const problem = await get('/docs/nothing-here');
    expect(problem.body.type).toBe(`${service.url}/docs/errors#not_found`);
  });
});

describe('304', () => {
  test.each(['/api/v2/openapi.json', '/docs/assets/pages.css', '/docs/assets/reference.js'])(
    '%s is not sent again when unchanged',
    async (path) => {
      const first = await get(path);
      const again = await get(path, { 'if-none-match': first.headers.get('etag')! });
      expect(again.status).toBe(304);
      expect(again.body).toBe('');
    },
  );
});

describe('404', () => {
  test.each([
    '/docs/nothing-here',
    '/docs/assets/',
    '/docs/assets/index.html',
    '/docs/assets/..%2fapi-document.ts',
  ])('%s is a problem document', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('not_found');
  });
});
