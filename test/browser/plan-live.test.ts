/** Two people with the same plan open: each sees the other's changes immediately, without losing their position or draft. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startBrowser, startServiceWithPages } from './browser.ts';
import {
  doToPlan,
  type PostedPlan,
  postComment,
  postPlan,
  postVersion,
  SAMPLE_PLAN_REVISED,
  selectWords,
} from './plan-samples.ts';

const service = await startServiceWithPages();
const { acme } = service;
const { newPerson } = await startBrowser();

/** The goal is one second; the test machine may be busy. */
const SOON = { timeout: 30_000 };

async function open(plan: PostedPlan, as = acme.member) {
  const person = await newPerson(service.url, { as });
  const followed = person.page.waitForResponse(/\/events\?since=/);
  await person.page.goto(`/plans/${plan.seriesId}`);
  await person.page.getByRole('region', { name: 'Discussion' }).waitFor();
  await followed;
  return person;
}

const thread = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words });

/** In the banner; screen readers hear it before that. */
const posted = (page: Page) => page.locator('span').filter({ hasText: 'Acme owner posted version 2.' });

describe('another person', () => {
  it('comments, replies, edits and triages, which appears without a reload', async () => {
    const plan = await postPlan(service, acme.owner);
    const [ada, bob] = [await open(plan, acme.admin), await open(plan, acme.member)];
    await bob.page.evaluate('globalThis.sameLife = true');
    await selectWords(ada.page, 'revoked at once');
    await ada.page.keyboard.press('c');
    await ada.page.getByRole('textbox').fill('Is that so?');
    const waited = thread(bob.page, 'Is that so?').waitFor(SOON);
    await ada.page.keyboard.press('Control+Enter');
    await waited;
    await bob.page.locator('mark', { hasText: 'revoked at once' }).waitFor(SOON);
    await bob.page.getByRole('status').getByText('Acme admin commented.').waitFor({ state: 'attached' });
    await thread(bob.page, 'Is that so?').getByRole('button', { name: 'Reply' }).click();
    await bob.page.getByRole('textbox').fill('I looked it up.');
    await bob.page.keyboard.press('Control+Enter');
    await thread(ada.page, 'Is that so?').getByText('I looked it up.').waitFor(SOON);
    await thread(bob.page, 'Is that so?').getByRole('button', { name: 'Accept' }).click();
    await thread(ada.page, 'Is that so?')
      .getByRole('button', { name: 'Accept', pressed: true })
      .waitFor(SOON);
    await thread(bob.page, 'Is that so?').getByRole('button', { name: 'Edit comment' }).click();
    await bob.page.getByRole('textbox').fill('I looked it up twice.');
    await bob.page.keyboard.press('Control+Enter');
    await thread(ada.page, 'Is that so?').getByText('I looked it up twice.').waitFor(SOON);
    await expect(bob.page.evaluate('sameLife')).resolves.toBe(true);
  });

  it('comments at the same time: both comments appear once on both pages', async () => {
    const plan = await postPlan(service, acme.owner);
    const people = [await open(plan, acme.admin), await open(plan, acme.member)];
    await Promise.all(
      people.map(async ({ page }, index) => {
        await page.keyboard.press('Shift+C');
        await page.getByRole('textbox').fill(`Thought ${index}`);
        await page.keyboard.press('Control+Enter');
      }),
    );
    for (const { page } of people)
      for (const index of [0, 1]) {
        await thread(page, `Thought ${index}`).waitFor(SOON);
        await expect(thread(page, `Thought ${index}`).count()).resolves.toBe(1);
      }
  });

  it('does not move the text being read or lose a draft', async () => {
    const plan = await postPlan(service, acme.owner);
    const root = await postComment(service, acme.owner, plan, 'Ask away', { on: 'covers every nightly job' });
    const { page } = await open(plan);
    await thread(page, 'Ask away').getByRole('button', { name: 'Reply' }).click();
    const area = page.getByRole('textbox', { name: /^Reply to/ });
    await area.fill('I am writing');
    const places = async () => {
      const marked = page.locator('mark', { hasText: 'covers every nightly job' });
      return [(await area.boundingBox())!.y, (await marked.boundingBox())!.y];
    };
    const before = await places();
    await postComment(service, acme.owner, plan, 'Above you', { on: 'Keys leak.' });
    await postComment(service, acme.owner, plan, 'In your thread\n\nwith two paragraphs', { parentId: root });
    await postComment(service, acme.owner, plan, 'Right above you', { on: 'Who may rotate?' });
    await thread(page, 'Above you').first().waitFor(SOON);
    await thread(page, 'Ask away').getByText('with two paragraphs').waitFor(SOON);
    await thread(page, 'Right above you').waitFor(SOON);
    await expect(area.inputValue()).resolves.toBe('I am writing');
    await expect(page.evaluate('document.activeElement.value')).resolves.toBe('I am writing');
    const farthest = async () => {
      const now = await places();
      return Math.max(...now.map((at, index) => Math.abs(at - before[index]!)));
    };
    await expect.poll(farthest).toBeLessThan(3);
  });

  it('posts a version: the text stays until the reader opens it, and a draft is kept', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan);
    await selectWords(page, 'no request may fail');
    await page.keyboard.press('c');
    await page.getByRole('textbox').fill('unfinished');
    await postVersion(service, acme.owner, plan);
    await posted(page).waitFor(SOON);
    await expect(page.getByRole('heading', { name: 'Rollback' }).count()).resolves.toBe(0);
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('unfinished');
    await expect(
      page.getByRole('button', { name: 'Approve' }).count(),
      'of a version not read',
    ).resolves.toBe(0);
    expect(await page.evaluate('scrollY'), 'far down the page').toBeGreaterThan(400);
    for (const name of ['View changes', 'Show version 2']) {
      const { y } = (await page.getByRole('button', { name }).boundingBox())!;
      expect(y, `${name} is in view`).toBeGreaterThan(0);
      expect(y, `${name} is in view`).toBeLessThan(200);
    }
    await page.getByRole('button', { name: 'Show version 2' }).click();
    await page.getByRole('heading', { name: 'Rollback' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByRole('button', { name: 'Continue writing' }).click();
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('unfinished');
  });

  it('approves, withdraws, closes and deletes, and the page follows', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan, acme.viewer);
    const bar = page.getByRole('banner').or(page.locator('header')).filter({ hasText: 'Plans' });
    await doToPlan(service, acme.admin, plan, 'approve', { versionId: plan.versionId, note: 'Go **ahead**' });
    await bar.getByText('Approved').waitFor(SOON);
    await page.getByText('Acme admin approved v1').waitFor(SOON);
    await page.getByText('Go **ahead**').waitFor();
    await doToPlan(service, acme.admin, plan, 'withdraw-approval');
    await bar.getByText('Pending').waitFor(SOON);
    await doToPlan(service, acme.admin, plan, 'pull-requests', { prNumber: 42, repoName: 'acme/gateway' });
    await page.getByText('acme/gateway#42').waitFor(SOON);
    await bar.getByText('Linked, not approved').waitFor(SOON);
    await service.request('DELETE', `/api/v2/plans/${plan.seriesId}`, { as: { session: acme.owner.token } });
    await page.getByRole('heading', { name: 'This plan was deleted' }).waitFor(SOON);
    await page.getByText('Acme owner deleted it while you were viewing it.').waitFor();
    await page.getByRole('link', { name: 'Go to plans' }).waitFor();
  });
});

it('changes made while the page was hidden or offline appear afterward', async () => {
  const plan = await postPlan(service, acme.owner);
  const { allow, context, page } = await open(plan);
  allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  await postComment(service, acme.owner, plan, 'While you were away');
  await context.setOffline(false);
  await thread(page, 'While you were away').waitFor({ timeout: 30_000 });
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await postVersion(service, acme.owner, plan, SAMPLE_PLAN_REVISED);
  await page.evaluate(`
    delete document.hidden;
    document.dispatchEvent(new Event('visibilitychange'));`);
  await posted(page).waitFor(SOON);
});
