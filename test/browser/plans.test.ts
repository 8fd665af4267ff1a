/** The list of plans: filters in the address, keyboard navigation, paging, and finding plans with the palette. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeOrganization, makePerson, makeUser, type Person } from '../helpers/service/factories.ts';
import { withKey, withSession } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme, globex } = service;

async function post(
  author: Person,
  plan: { title: string; text?: string; repoNames?: string[]; agentVendor?: string; seriesKey?: string },
) {
  const { agentVendor = 'claude-code', repoNames = [], seriesKey = randomUUID(), text = '', title } = plan;
  const body = { seriesKey, content: `# ${title}\n\n${text}`, agentVendor, repoNames };
  const reply = await service.request('POST', '/api/v2/plans', { as: withKey(author), body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(202);
  return reply.body as { seriesId: string; versionId: string };
}

const titlesOn = (page: Page) =>
  page.getByRole('list', { name: 'Plans' }).getByRole('link').allTextContents();
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

const cache = await post(acme.owner, {
  title: 'Cache the product list',
  text: 'Zebra words are only in the content.',
  repoNames: ['acme/web-shop', 'acme/api', 'acme/search'],
});
await post(acme.member, {
  title: 'Move invoices to events',
  repoNames: ['acme/billing'],
  agentVendor: 'codex',
});
const flaky = await post(acme.member, { title: 'Fix the flaky login test', repoNames: ['acme/web-shop'] });
await post(acme.member, { title: 'Fix the flaky login test', text: 'again', seriesKey: flaky.seriesId });
for (const body of ['first', 'second'])
  await service.request('POST', `/api/v2/plans/${flaky.seriesId}/comments`, {
    as: withKey(acme.owner),
    body: { body, versionId: flaky.versionId },
  });
const approved = await service.request('POST', `/api/v2/plans/${cache.seriesId}/approve`, {
  as: withSession(acme.admin),
  body: { versionId: cache.versionId },
});
expect(approved.status, JSON.stringify(approved.body)).toBe(200);

describe('the list', () => {
  it('shows each plan with its status, version, repositories, author, agent and comments, newest change first', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    await expect(titlesOn(page)).resolves.toEqual([
      'Cache the product list',
      'Fix the flaky login test',
      'Move invoices to events',
    ]);
    const rows = page.getByRole('list', { name: 'Plans' }).getByRole('listitem');
    const first = await rows.nth(0).innerText();
    for (const part of [
      'Approved',
      'v1',
      'acme/web-shop, acme/api and 1 more',
      'Acme owner with Claude Code',
    ])
      expect(first).toContain(part);
    const second = await rows.nth(1).innerText();
    for (const part of ['Pending', 'v2', 'acme/web-shop', 'Acme member with Claude Code', '2 comments'])
      expect(second.replaceAll('\n', ' ')).toContain(part);
    await expect(rows.nth(2).innerText()).resolves.toContain('Acme member with Codex');
  });

  it('filters by status, author, agent, repository and words; each is in the address and survives a reload', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    const expectOnly = async (titles: string[], search: Record<string, string>) => {
      await eventually(() => searchOf(page)).toEqual(search);
      await eventually(() => titlesOn(page), JSON.stringify(search)).toEqual(titles);
    };
    const expectAfterReload = async (titles: string[]) => {
      await page.reload();
      await untilLoaded(page, 'Plans');
      await expect(titlesOn(page)).resolves.toEqual(titles);
    };
    await page.getByRole('link', { name: 'Pending' }).click();
    await expectOnly(['Fix the flaky login test', 'Move invoices to events'], { status: 'pending' });
    await page.getByLabel('Author').selectOption('Acme member');
    await page.getByLabel('Agent').selectOption('Codex');
    const three = { status: 'pending', authorId: acme.member.userId, agentVendor: 'codex' };
    await expectOnly(['Move invoices to events'], three);
    await page.getByLabel('Repository').fill('ACME/Billing');
    await expectOnly(['Move invoices to events'], { ...three, repository: 'ACME/Billing' });
    await expectAfterReload(['Move invoices to events']);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByLabel('Agent').selectOption('Any agent');
    await page.getByLabel('Author').selectOption('Any author');
    await page.getByLabel('Repository').fill('web-shop');
    await expectOnly(['Cache the product list', 'Fix the flaky login test'], { repository: 'web-shop' });
    await page.getByLabel('Repository').fill('');
    await page.getByLabel('Search plans').fill('zeb cont');
    await expectOnly(['Cache the product list'], { search: 'zeb cont' });
    await expectAfterReload(['Cache the product list']);
  });

  it('changes requested and reviews requested are visible in the list, on home and in the review queue', async () => {
    const { member: author, admin: reviewer } = await makeOrganization(
      service.db,
      'Reviewers',
      service.clock.now(),
    );
    const asked = await post(author, { title: 'Waits for Grace' });
    const returned = await post(author, { title: 'Waits for Ada' });
    await post(author, { title: 'Waits for no one' });
    const act = async (as: Person, path: string, body: object) => {
      const reply = await service.request('POST', `/api/v2/plans/${path}`, { as: withSession(as), body });
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
    };
    await act(author, `${asked.seriesId}/review-requests`, { userIds: [reviewer.userId] });
    const { versionId } = returned;
    await act(reviewer, `${returned.seriesId}/request-changes`, { versionId, note: 'Say why.' });

    const { page } = await newPerson(service.url, { as: reviewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Waits for Ada' })
      .getByText('Changes requested')
      .waitFor();
    await page.getByRole('link', { name: 'Changes requested' }).click();
    await eventually(() => titlesOn(page)).toEqual(['Waits for Ada']);
    await page.getByRole('link', { name: 'Needs my review' }).click();
    await eventually(() => titlesOn(page)).toEqual(['Waits for Grace']);
    expect(searchOf(page)).toEqual({ review: 'needs_my_review' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await untilLoaded(page, 'To review');
    const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /To review/ });
    await eventually(() => entry.innerText()).toMatch(/To review\s+1\s+waiting for you/);
    const queue = page.getByRole('list', { name: 'Plans that need your review' });
    await eventually(() => queue.getByRole('link').allTextContents()).toEqual(['Waits for Grace']);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/plans/${asked.seriesId}`);

    const other = await newPerson(service.url, { as: author });
    await other.page.goto('/');
    await untilLoaded(other.page, 'Welcome, Reviewers member');
    await other.page
      .getByRole('list', { name: 'Changes requested on your plans' })
      .getByRole('link', { name: 'Waits for Ada' })
      .click();
    await other.page.locator('header').getByText('Changes requested').waitFor();
  });

  it('explains when nothing matches, and clears all filters with one click', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans?search=nothing+like+this&status=closed&repository=nowhere');
    await page.getByText('No matching plans').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await eventually(() => titlesOn(page)).toHaveLength(3);
    expect(searchOf(page)).toEqual({});
    await expect(page.getByLabel('Search plans').inputValue()).resolves.toBe('');
    await expect(page.getByLabel('Repository').inputValue()).resolves.toBe('');
  });

  it('treats digits and code as search text', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    for (const typed of ['2026', 'true', '"quoted"', '{"a":1}']) {
      const before = page.url();
      await page.getByLabel('Search plans').fill(typed);
      await eventually(() => page.url()).not.toBe(before);
      await page.getByText('No matching plans').waitFor();
      await page.reload();
      await page.getByText('No matching plans').waitFor();
      await expect(page.getByLabel('Search plans').inputValue()).resolves.toBe(typed);
    }
  });

  it('an organization without plans sees a working command that posts one', async () => {
    const { page } = await newPerson(service.url, { as: globex.member });
    await page.goto('/plans');
    await page.getByText('No plans yet').waitFor();
    const line = (await page.locator('pre').textContent())!;
    const { stdout } = await promisify(execFile)('sh', ['-c', line.replace('csk_…', globex.member.key)]);
    expect(stdout, line).toMatch(/^HTTP\/1\.1 201 /);
    await page.reload();
    await eventually(() => titlesOn(page)).toEqual(['Cache the product list']);
  });

  it('shows the error when it cannot be loaded, and retries on demand', async () => {
    const { allow, page } = await newPerson(service.url, { as: acme.viewer });
    allow(/500: /);
    let broken = true;
    await page.route('**/api/v2/plans?**', (route) =>
      broken
        ? route.fulfill({ status: 500, json: { title: 'Oh', detail: 'It broke.', requestId: 'r-1' } })
        : route.continue(),
    );
    await page.goto('/plans');
    await page.getByRole('alert').getByText('It broke.').waitFor();
    await expectAccessible(page, 'a list that could not be loaded');
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => titlesOn(page)).toHaveLength(3);
  });

  it('shows a long list page by page, every plan once', async () => {
    const { id } = await makeOrganization(service.db, 'Longlist', service.clock.now());
    const user = await makeUser(
      service.db,
      { name: 'Busy', email: 'busy@longlist.example' },
      service.clock.now(),
    );
    const busy = await makePerson(service.db, id, user, 'member', service.clock.now());
    for (let from = 0; from < 60; from += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => post(busy, { title: `Plan ${from + index}` })),
      );
    const { page } = await newPerson(service.url, { as: busy });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    for (const count of [50, 60]) {
      await eventually(async () => (await titlesOn(page)).length).toBe(count);
      if (count < 60) await page.getByRole('button', { name: 'Show more' }).click();
    }
    expect(new Set(await titlesOn(page)).size).toBe(60);
    await expect(page.getByRole('button', { name: 'Show more' }).count()).resolves.toBe(0);
  });
});

describe('the keyboard', () => {
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

  it('searches with /, enters the list with the arrow, moves with j and k, opens with Enter and goes back', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await untilLoaded(page, 'Plans');
    await page.keyboard.press('/');
    await page.keyboard.type('fix');
    await eventually(() => titlesOn(page)).toEqual(['Fix the flaky login test']);
    await page.keyboard.press('Escape');
    await eventually(() => titlesOn(page)).toHaveLength(3);
    await page.keyboard.press('ArrowDown');
    await eventually(() => focused(page)).toBe('Cache the product list');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await eventually(() => focused(page)).toBe('Move invoices to events');
    await page.keyboard.press('k');
    await eventually(() => focused(page)).toBe('Fix the flaky login test');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/plans/${flaky.seriesId}`);
    await page.goBack();
    await untilLoaded(page, 'Plans');
    expect(searchOf(page)).toEqual({});
  });

  it('g and a letter still navigates, even if the letter is a shortcut on the page', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    await page.keyboard.press('j');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await untilLoaded(page, 'API keys');
  });

  it('the help lists the shortcuts of this page', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/plans');
    await untilLoaded(page, 'Plans');
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const line of ['On this page', 'Search plans', 'Next plan', 'Previous plan', 'Go to Inbox'])
      await sheet.getByText(line, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await untilLoaded(page, 'API keys');
    await page.keyboard.press('?');
    await sheet.getByText('Go to API keys').waitFor();
    await expect(sheet.getByText('Next plan').count(), 'only while the page is there').resolves.toBe(0);
  });

  it('the palette finds a plan by a word of its content and opens it, or lists all that match', async () => {
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zebra');
    const option = page.getByRole('option', { name: /Cache the product list/ });
    await option.waitFor();
    await eventually(() => option.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/plans/${cache.seriesId}`);
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('invoices');
    await page.getByRole('option', { name: 'Search plans for “invoices”' }).click();
    await untilLoaded(page, 'Plans');
    await eventually(() => titlesOn(page)).toEqual(['Move invoices to events']);
    expect(searchOf(page)).toEqual({ search: 'invoices' });
  });
});
