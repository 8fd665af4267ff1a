/** User-provided text is escaped wherever it is shown: nothing in it runs, loads or breaks the layout. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inviteMember } from '../../src/features/accounts/invitations/invite-member.ts';
import { generateApiKey } from '../../src/features/api-keys/index.ts';
import { operatorOf } from '../../src/features/audit/index.ts';
import { makeOrganization, makePerson, makeUser, PASSWORD } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { signIn, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();

const HOSTILE = {
  'an image that fails': '<img src=x onerror="globalThis.pwned=1">',
  'a script': '"><script>globalThis.pwned=1</script>',
  'an address of script': 'javascript:globalThis.pwned=1',
  'a way out of an attribute': `' onmouseover='globalThis.pwned=1' x="`,
  'a template': '{{constructor.constructor("globalThis.pwned=1")()}}',
  'letters that turn the line around': 'safe \u202Egnp.exe\u2066 \u200F\u061C end',
  'a word that never ends': 'W'.repeat(200),
  'marks that pile up': `Z${'\u0310\u0334\u0347'.repeat(40)}`,
  'names of JavaScript': '__proto__',
};

/** An address that belongs to nobody yet, even when the test runs again. Invisible characters are refused in addresses. */
function hostileAddress(text: string, host: string): string {
  const box = text.replaceAll(/[\s@\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');
  return `${randomUUID().slice(0, 8)}${box}@${host}`.toLowerCase();
}

async function expectHarmless(page: Page, where: string, width: number): Promise<void> {
  await expect(page.evaluate('globalThis.pwned'), `nothing ran on ${where}`).resolves.toBeUndefined();
  const foreign = await page.evaluate(
    `[...document.querySelectorAll('img:not([src="/icon.svg"]), body script, iframe, object, [onerror], [onmouseover], a[href^="javascript:"]')].map((node) => node.outerHTML)`,
  );
  expect(foreign, `no element was made from text on ${where}`).toEqual([]);
  await expect(
    page.evaluate('document.documentElement.scrollWidth'),
    `${where} is not torn apart`,
  ).resolves.toBeLessThanOrEqual(width);
}

describe.each([
  ['on a desk', false],
  ['on a phone', true],
])('hostile text %s', (_where, phone) => {
  it('as organization, name, key, email address and browser is shown as text on every page', async () => {
    const now = service.clock.now();
    const texts = Object.values(HOSTILE);
    const together = texts.slice(0, 5).join('').slice(0, 200);
    const { id } = await makeOrganization(service.db, phone ? 'W'.repeat(200) : together, now);
    const people = [];
    for (const text of [together, ...texts]) {
      const user = await makeUser(service.db, { name: text, email: hostileAddress(text, 'x') }, now);
      people.push(await makePerson(service.db, id, user, 'owner', now));
    }
    const owner = people[0]!;
    let link = '';
    for (const text of texts) {
      await generateApiKey(service.db, owner, text, operatorOf(id, now));
      const email = hostileAddress(text, 'guest.example');
      const invited = await service.call(inviteMember, { email, role: 'viewer' }, withSession(owner));
      expect(invited.status, JSON.stringify(invited.body)).toBe(201);
      link ||= invited.body.link;
      await service.request('POST', '/api/v2/session', {
        body: { email: owner.email, password: PASSWORD },
        headers: { 'user-agent': text.replaceAll(/[^\x20-\x7E]/g, '?') },
      });
    }

    const width = phone ? 390 : 1280;
    const { page } = await newPerson(service.url, { phone });
    await page.goto('/sign-in');
    await signIn(page, { email: owner.email });
    for (const path of [
      '/',
      '/settings/account',
      '/settings/audit',
      '/settings/people',
      '/settings/api-keys',
    ]) {
      if (path !== '/') await page.goto(path);
      await untilLoaded(page, path === '/' ? /Welcome/ : /./);
      await expectHarmless(page, path, width);
    }
    for (const text of texts)
      await expect(page.getByRole('row').filter({ hasText: text }).count(), text).resolves.toBeGreaterThan(0);
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await expectHarmless(page, 'revoking', width);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').first().waitFor();
    await expectHarmless(page, 'a message', width);
    await page.goto(link);
    await untilLoaded(page, /Join/);
    await expectHarmless(page, 'the invitation', width);
  });
});

it.each([
  '/settings/audit?action=<img src=x onerror=pwned=1>',
  '/sign-in?next=/<script>pwned=1</script>',
  '/<script>pwned=1</script>',
  '/invitation#token="><img src=x onerror=pwned=1>',
])('an address such as %s runs nothing', async (path) => {
  const { allow, page } = await newPerson(service.url, { as: service.acme.owner });
  allow(/404: /);
  await page.goto(path);
  await untilLoaded(page, /./);
  await expectHarmless(page, path, 1280);
});
