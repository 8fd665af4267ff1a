/** Pages and open metrics are served only under our own host names; any other name gets 421 (DNS rebinding). */
import { describe, expect, it } from 'vitest';
import { startTestService } from '../../../../test/helpers/service/harness.ts';
import { rawRequest, sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import { refuseForeignHost } from './host-check.ts';

const service = await startTestService({
  settings: { BASE_URL: 'https://review.example.com', ALLOWED_HOSTS: 'review.internal' },
});
const statusOf = async (path: string, host: string) =>
  (await sendRaw(service.url, rawRequest(`GET ${path}`, { Host: host }))).status;

describe('200', () => {
  it.each([
    'review.example.com',
    'REVIEW.example.com:8443',
    'review.internal:4000',
    'localhost:4000',
    'app.localhost',
    '127.0.0.1:4000',
    '10.1.2.3',
    '[::1]:4000',
  ])('for pages and metrics under %s', async (host) => {
    expect([await statusOf('/docs', host), await statusOf('/metrics', host)]).toEqual([200, 200]);
  });

  it('under any name for the probes of a load balancer', async () => {
    expect(await statusOf('/healthz', 'pod-7.cluster.local')).toBe(200);
  });
});

describe('421', () => {
  it.each(['/docs', '/docs/errors', '/docs/assets/pages.css', '/metrics', '/', '/plans'])(
    'for %s under an unknown name, with what to do',
    async (path) => {
      const answer = await sendRaw(service.url, rawRequest(`GET ${path}`, { Host: 'evil.example' }));
      expect(answer.status).toBe(421);
      expect(answer.json()).toMatchObject({
        code: 'misdirected_request',
        detail:
          "This service isn't known as evil.example. Open it under https://review.example.com, or add the name to ALLOWED_HOSTS.",
      });
    },
  );

  it.each([
    'review.example.com.evil.example',
    'xreview.example.com',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a b',
  ])('for the name %s, which only resembles one of ours', (host) => {
    const rules = {
      site: { baseUrl: 'https://review.example.com' },
      settings: { allowedHosts: [], metricsToken: undefined },
    };
    expect(refuseForeignHost(host, '/docs', rules)?.status).toBe(421);
  });
});

it('does not check the API, /mcp and metrics with a token, which need credentials', () => {
  const rules = {
    site: { baseUrl: 'https://review.example.com' },
    settings: { allowedHosts: [], metricsToken: 'x'.repeat(16) },
  };
  for (const path of ['/api/v2/plans', '/mcp', '/oauth/token', '/metrics']) {
    expect(refuseForeignHost('evil.example', path, rules)).toBeUndefined();
  }
});
