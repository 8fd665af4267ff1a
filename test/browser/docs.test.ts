/** The API reference at /docs in a real browser: accessible, usable by keyboard, on a desktop and on a phone. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/operations.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { expectAccessibleOn, startBrowser } from './browser.ts';

/** One endpoint of each kind: axe needs a minute for all of them. */
const SHOWN = [
  'submit-plan',
  'search-files',
  'stream-plan-changes',
  'change-repository',
  'revoke-session',
  'sign-in',
];
const service = await startTestService({ operations: operations.filter(({ name }) => SHOWN.includes(name)) });
const { newPerson } = await startBrowser();

describe.each([
  ['on a desk', false],
  ['on a phone', true],
])('the API reference %s', (_where, phone) => {
  it('has no axe violations, collapsed or with expanded endpoints, and never scrolls horizontally', async () => {
    const { page } = await newPerson(service.url, { phone });
    await page.goto('/docs#submit-plan');
    await page.locator('#submit-plan[open]').waitFor();
    await expectAccessibleOn(phone, page, 'with one endpoint open');
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    await expectAccessibleOn(phone, page, 'with everything open');
    // On a phone, the window becomes as wide as what it shows.
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(page.viewportSize()!.width);
  });

  it('opens an endpoint by keyboard, shows its curl command and copies it', async () => {
    const { page } = await newPerson(service.url, { phone });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/docs');
    await page.locator('#submit-plan > summary').focus();
    await page.keyboard.press('Enter');
    const copy = page.locator('#submit-plan').getByRole('button', { name: 'Copy' });
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain(`curl -X POST '${service.url}/api/v2/plans'`);
    expect(copied).toContain('-H "x-api-key: $COUNTERSIGN_API_KEY"');
  });
});
