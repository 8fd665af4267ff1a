/** Settings → API keys: the secret is shown only once; revoking names the key. */
import { describe, expect, it } from 'vitest';
import { recordSessionEvent } from '../../src/features/planner-events/record-session-event.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

/** A host name that is not loopback: there the page is no secure context, and has no clipboard of the new kind. */
const PLAIN_HOST = 'countersign.test';
const service = await startServiceWithPages({ ALLOWED_HOSTS: PLAIN_HOST });
const { newPerson } = await startBrowser([`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`]);

describe('a new key', () => {
  it('is shown once, can be copied, works, and is discarded when the dialog closes', async () => {
    const { context, page } = await newPerson(service.url, { as: service.acme.member });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await page.goto('/settings/api-keys');
    await untilLoaded(page, 'API keys');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel('Name').fill('deploy robot');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    const secret = await page.getByLabel('API key', { exact: true }).inputValue();
    expect(secret).toMatch(/^csk_/);
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await expect(page.evaluate('navigator.clipboard.readText()')).resolves.toBe(secret);
    await expect(page.getByText(/^claude mcp add .*/).textContent()).resolves.toBe(
      `claude mcp add --scope user --transport http countersign ${service.url}/mcp --header "x-api-key: ${secret}"`,
    );
    await page.keyboard.press('Escape');
    await expect(
      page.getByLabel('API key', { exact: true }).isVisible(),
      'a slip closes nothing',
    ).resolves.toBe(true);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await expect(page.content()).resolves.not.toContain(secret);
    const kept = await page.evaluate(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie])`,
    );
    expect(kept).not.toContain(secret);
    await expect(
      reachableStrings(page, secret),
      'nothing that React or the cache still holds',
    ).resolves.toEqual([]);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await expect(page.getByLabel('Name').inputValue()).resolves.toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Home' }).click();
    await untilLoaded(page, /Welcome/);
    await page.goBack();
    await untilLoaded(page, 'API keys');
    await expect(page.content()).resolves.not.toContain(secret);

    await page.getByRole('row', { name: /deploy robot.*Never/ }).waitFor();
    const used = await service.call(
      recordSessionEvent,
      { sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'planner_session_started' },
      { key: secret },
    );
    expect(used.status).toBe(204);
    await service.flush();
    await page.reload();
    await page.getByRole('row', { name: /deploy robot.*just now.*just now/ }).waitFor();
  });

  it('can be copied over plain http with another host name', async () => {
    const origin = `http://${PLAIN_HOST}:${new URL(service.url).port}`;
    const { allow, page } = await newPerson(origin, { as: service.acme.member });
    // On plain http, Chromium logs that some headers have no effect.
    allow(/Cross-Origin-Opener-Policy|origin-keyed agent cluster/);
    await page.goto('/settings/api-keys');
    await untilLoaded(page, 'API keys');
    await expect(page.evaluate('isSecureContext')).resolves.toBe(false);
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('over http');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    const secret = await page.getByLabel('API key', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Control+v');
    await expect(page.getByLabel('Name').inputValue()).resolves.toBe(secret);
  });
});

describe('revoking a key', () => {
  it('asks for confirmation with the name of the key, and then shows it as revoked', async () => {
    const { page } = await newPerson(service.url, { as: service.acme.viewer });
    await page.goto('/settings/api-keys');
    await page.getByRole('button', { name: 'Revoke test key' }).click();
    await page.getByRole('dialog', { name: 'Revoke “test key”?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke test key' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /test key.*Revoked/ }).waitFor();
    await page.reload();
    await page.getByRole('row', { name: /test key.*Revoked/ }).waitFor();
    await expect(page.getByRole('button', { name: 'Revoke test key' }).count()).resolves.toBe(0);
    const refused = await service.request('GET', '/api/v2/session', { as: { key: service.acme.viewer.key } });
    expect([401, 403]).toContain(refused.status);
  });

  it('leaves the key unchanged and shows the reason when the service fails', async () => {
    const { page, allow } = await newPerson(service.url, { as: service.acme.admin });
    allow(/ERR_FAILED/);
    await page.goto('/settings/api-keys');
    await page.route('**/api/v2/api-keys/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Revoke test key' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Revoke test key' }).waitFor();
    await expect(page.getByText('Revoked').count()).resolves.toBe(0);
  });
});

/** The paths at which the page's React tree and caches still hold a text. */
function reachableStrings(
  page: { evaluate(script: string): Promise<unknown> },
  text: string,
): Promise<unknown> {
  return page.evaluate(`(() => {
    const root = document.getElementById('root');
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'));
    const found = [];
    const seen = new Set();
    const queue = [[root[key], 'root']];
    while (queue.length > 0) {
      const [value, path] = queue.pop();
      if (typeof value === 'string') {
        if (value.includes(${JSON.stringify(text)})) found.push(path);
        continue;
      }
      if (value === null || typeof value !== 'object' || seen.has(value) || value instanceof Node || value === globalThis) continue;
      seen.add(value);
      if (value instanceof Map) for (const [name, each] of value) queue.push([each, path + '.' + String(name)]);
      else for (const name of Object.keys(value)) queue.push([value[name], path + '.' + name]);
    }
    if (seen.size < 500) found.push('the walk saw only ' + seen.size + ' objects');
    return found;
  })()`);
}
