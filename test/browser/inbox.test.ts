/** The inbox: updates arrive without a reload, link to the exact position, and can be marked as read. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { makePullRequest, makeRepositoryRow } from '../helpers/rows/pull-requests.ts';
import { makePerson, makeUser, type Person } from '../helpers/service/factories.ts';
import { startTestService, withKey, withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAtBothWidths, startBrowser, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';

const service = await startTestService({ webAppFolder: inject('webAppFolder'), worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;
let lastPerson = 0;

async function newMember(name: string): Promise<Person> {
  const now = service.clock.now();
  lastPerson += 1;
  const user = await makeUser(service.db, { name, email: `person${lastPerson}@acme.example` }, now);
  return makePerson(service.db, acme.id, user, 'member', now);
}

interface Plan {
  seriesId: string;
  versionId: string;
}

const post = (path: string, person: Person, body: object) => send('POST', path, withKey(person), body);
const act = (path: string, person: Person, body: object) => send('POST', path, withSession(person), body);

async function send(method: string, path: string, as: ReturnType<typeof withKey>, body: object) {
  const reply = await service.request(method, `/api/v2${path}`, { as, body });
  expect(reply.status, `${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
}

const postPlan = (author: Person, title: string, seriesKey: string = randomUUID()): Promise<Plan> =>
  post('/plans', author, { seriesKey, content: `# ${title}\n\n${randomUUID()}`, agentVendor: 'codex' });

const comment = (author: Person, plan: Plan, body: string, parentId?: string): Promise<{ id: string }> =>
  post(`/plans/${plan.seriesId}/comments`, author, { body, versionId: plan.versionId, parentId });

/** Waits until the worker has created this many notifications. */
const untilNotified = (person: Person, count: number) =>
  eventually(async () => {
    const path = '/api/v2/inbox?limit=200';
    return (await service.request('GET', path, { as: withSession(person) })).body.items.length;
  }).toBe(count);

const entries = (page: Page) => page.locator('main [data-item-id]');
const badge = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Inbox/ });

describe('what others do', () => {
  it('appears without a reload with the unread count, links to its thread, and is marked as read when opened', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const plan = await postPlan(ada, 'Cache the list');
    const { page } = await newPerson(service.url, { as: ada, unused: true });
    await page.clock.install();
    await page.goto('/inbox');
    await page.getByText('Your inbox is empty').waitFor();
    await expect(badge(page).innerText()).resolves.toBe('Inbox');

    const { id } = await comment(grace, plan, 'Why a minute?');
    await untilNotified(ada, 1);
    await page.clock.fastForward(20_000);
    await entries(page).getByText('Grace commented on Cache the list').waitFor();
    await page.getByText('Why a minute?').waitFor();
    await eventually(() => badge(page).innerText()).toMatch(/Inbox\s+1\s+unread/);

    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/plans/${plan.seriesId}?thread=${id}`);
    await eventually(() => badge(page).innerText()).toBe('Inbox');
    await page.goBack();
    await untilLoaded(page, 'Inbox');
    await expect(entries(page).count()).resolves.toBe(1);
    await expect(page.getByText('Unread:').count()).resolves.toBe(0);
  });

  it('is described for every kind, and links to the version that it is about', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const plan = await postPlan(ada, 'Split the service');
    const first = await comment(grace, plan, 'Into how many?');
    const reply = await comment(ada, plan, 'Two.', first.id);
    await act(`/plans/${plan.seriesId}/review-requests`, ada, { userIds: [grace.userId] });
    await act(`/plans/${plan.seriesId}/request-changes`, grace, {
      versionId: plan.versionId,
      note: 'Say which two.',
    });
    const second = await postPlan(ada, 'Split the service', plan.seriesId);
    await act(`/plans/${plan.seriesId}/approve`, grace, { versionId: second.versionId, note: 'Good.' });
    await untilNotified(ada, 3);
    await untilNotified(grace, 3);

    const { page } = await newPerson(service.url, { as: grace });
    await page.goto('/inbox');
    await untilLoaded(page, 'Inbox');
    const hrefs = async (of: Page) =>
      Promise.all(
        (await entries(of).all()).map(async (link) => [
          (await link.textContent())!.replace('Unread: ', ''),
          (await link.getAttribute('href'))!.split(plan.seriesId)[1],
        ]),
      );
    expect(await hrefs(page)).toEqual([
      ['Ada posted v2 of Split the service', '?view=changes&version=2'],
      ['Ada requested your review of Split the service', expect.stringMatching(/^(\?version=1)?$/)],
      ['Ada replied on Split the service', `?thread=${reply.id}`],
    ]);
    const other = await newPerson(service.url, { as: ada });
    await other.page.goto('/inbox');
    await untilLoaded(other.page, 'Inbox');
    expect(await hrefs(other.page)).toEqual([
      ['Grace approved v2 of Split the service', '?version=2'],
      ['Grace requested changes to v1 of Split the service', '?version=1'],
      ['Grace commented on Split the service', `?thread=${first.id}`],
    ]);
    await other.page.getByText('Say which two.').waitFor();
  });
});

describe('reading', () => {
  it('marks one entry, with the button or r, or all of them; a filter shows only unread entries', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const plan = await postPlan(ada, 'Read me');
    for (const body of ['one', 'two', 'three', 'four']) await comment(grace, plan, body);
    await untilNotified(ada, 4);
    const { page } = await newPerson(service.url, { as: ada });
    await page.goto('/inbox');
    await untilLoaded(page, 'Inbox');
    await page.getByRole('button', { name: 'Mark as read' }).first().click();
    await eventually(() => page.getByText('Unread:').count()).toBe(3);
    await page
      .getByRole('link', { name: /^Unread/ })
      .and(page.locator('nav a'))
      .click();
    await eventually(() => entries(page).count()).toBe(3);
    expect(new URL(page.url()).search).toBe('?unread=true');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await eventually(() => entries(page).count()).toBe(2);
    await eventually(
      () => page.evaluate('document.activeElement.hasAttribute("data-item-id")'),
      'the focus is on the next entry',
    ).toBe(true);
    await eventually(() => badge(page).innerText()).toMatch(/2\s+unread/);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You’re all caught up').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await eventually(() => entries(page).count()).toBe(2);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You’re all caught up').waitFor();
    await eventually(() => badge(page).innerText()).toBe('Inbox');
    await page.getByRole('link', { name: 'Show all' }).click();
    await eventually(() => entries(page).count()).toBe(4);
  });

  it('puts unread entries of a pull request together, and opening it marks them as read, in other tabs too', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const api = await makeRepositoryRow(service, acme.id, { name: 'acme/api' });
    const [list, second] = [
      await makePullRequest(service, api, { author: ada, title: 'Cache the list' }),
      await makePullRequest(service, api, { author: ada, title: 'Cache the page' }),
    ];
    const say = (to: { id: string }, body: string) =>
      act(`/pull-requests/${to.id}/comments`, grace, { body });
    for (const body of ['one', 'two', 'three', 'four', 'five']) await say(list, body);
    for (const body of ['six', 'seven']) await say(second, body);
    await untilNotified(ada, 7);
    const { page } = await newPerson(service.url, { as: ada });
    await page.goto('/inbox');
    await untilLoaded(page, 'Inbox');
    const groups = page.locator('main ul ul');
    await expect(
      Promise.all((await groups.all()).map((each) => each.getAttribute('aria-label'))),
    ).resolves.toEqual([
      `acme/api#${second.number} Cache the page`,
      `acme/api#${list.number} Cache the list`,
    ]);
    await page.getByText('5 unread', { exact: true }).waitFor();
    await expect(entries(page).count()).resolves.toBe(6);
    await page.getByRole('button', { name: 'Show 1 more' }).press('Enter');
    await expect(entries(page).allTextContents()).resolves.toHaveLength(7);
    await expectAccessibleAtBothWidths(page, 'an inbox with groups');
    await page.getByRole('button', { name: 'Mark all 2 as read' }).click();
    await eventually(() => badge(page).innerText()).toMatch(/5\s+unread/);
    await expect(groups.count()).resolves.toBe(1);

    const tab = await page.context().newPage();
    await tab.goto(new URL(`/pull-requests/${list.id}`, service.url).href);
    for (const each of [tab, page]) await eventually(() => badge(each).innerText()).toBe('Inbox');
    await eventually(() => page.getByText('Unread:').count()).toBe(0);
  });

  it('reverts entries that the service refuses to mark, and shows the error', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    await comment(grace, await postPlan(ada, 'Stay'), 'unread');
    await untilNotified(ada, 1);
    const { allow, page } = await newPerson(service.url, { as: ada });
    allow(/503: /);
    await page.route('**/api/v2/inbox/read', (route) =>
      route.fulfill({ status: 503, json: { detail: 'Not now.' } }),
    );
    await page.goto('/inbox');
    await untilLoaded(page, 'Inbox');
    await page.getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('Not now.').first().waitFor();
    await eventually(() => page.getByText('Unread:').count()).toBe(1);
  });

  it('shows at most 99+, and older entries on demand', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const plan = await postPlan(ada, 'Busy');
    for (let from = 0; from < 105; from += 15)
      await Promise.all(Array.from({ length: 15 }, (_, index) => comment(grace, plan, `${from + index}`)));
    await untilNotified(ada, 105);
    const { page } = await newPerson(service.url, { as: ada });
    await page.goto('/inbox');
    await untilLoaded(page, 'Inbox');
    await eventually(() => badge(page).innerText()).toMatch(/99\+\s+unread/);
    for (const count of [50, 100, 105]) {
      await eventually(() => entries(page).count()).toBe(count);
      if (count < 105) await page.getByRole('button', { name: 'Show older' }).click();
    }
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.getByRole('link', { name: 'All 99+ unread' }).click();
    await untilLoaded(page, 'Inbox');
  });
});

describe('home', () => {
  it('shows unread entries and the newest plans, with links to both', async () => {
    const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
    const plan = await postPlan(ada, 'Shown at the start');
    const { id } = await comment(grace, plan, 'Here.');
    await untilNotified(ada, 1);
    const { page } = await newPerson(service.url, { as: ada });
    await page.goto('/');
    await untilLoaded(page, 'Welcome, Ada');
    await page
      .getByRole('list', { name: 'Recently updated plans' })
      .getByRole('link', { name: 'Shown at the start' })
      .waitFor();
    const read = page.waitForResponse((response) => response.url().endsWith('/api/v2/inbox/read'));
    await page.getByRole('list', { name: 'Unread' }).getByRole('link').click();
    await page.waitForURL(`**/plans/${plan.seriesId}?thread=${id}`);
    await read;
    await page.goto('/');
    await page.getByText('You’re all caught up.').waitFor();
    await page.getByRole('link', { name: 'All plans' }).click();
    await untilLoaded(page, 'Plans');
  });
});

it('the bar on a phone shows the unread count', async () => {
  const [ada, grace] = [await newMember('Ada'), await newMember('Grace')];
  await comment(grace, await postPlan(ada, 'Look at me'), 'I do.');
  await untilNotified(ada, 1);
  const { page } = await newPerson(service.url, { as: ada, phone: true });
  await page.goto('/inbox');
  await untilLoaded(page, 'Inbox');
  const bar = page.getByRole('banner').getByRole('link', { name: /Inbox/ });
  await eventually(() => bar.innerText()).toMatch(/1/);
});
