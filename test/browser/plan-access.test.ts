/** Accessibility of the plan page: axe, keyboard only, and on a phone. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleOn, startBrowser, startServiceWithPages } from './browser.ts';
import {
  doToPlan,
  inFull,
  postComment,
  postPlan,
  postVersion,
  SAMPLE_COMMENTS,
  SAMPLE_PLAN,
  SAMPLE_PLAN_REVISED,
  selectWords,
} from './plan-samples.ts';

const service = await startServiceWithPages();
const { acme } = service;
const { newPerson } = await startBrowser();

async function samplePlan(edit = inFull) {
  const plan = await postPlan(service, acme.owner, edit(SAMPLE_PLAN));
  for (const { body, on, replies = [] } of SAMPLE_COMMENTS) {
    const parentId = await postComment(service, acme.member, plan, body, { on });
    for (const reply of replies) await postComment(service, acme.owner, plan, reply.body, { parentId });
  }
  await doToPlan(service, acme.admin, plan, 'request-changes', {
    versionId: plan.versionId,
    note: 'Longer.',
  });
  return postVersion(service, acme.owner, plan, edit(SAMPLE_PLAN_REVISED));
}

const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** For tests that only look. */
const shared = await samplePlan();

async function openPlan(query = '', phone = false) {
  const { page } = await newPerson(service.url, { phone, as: acme.admin });
  await page.goto(`/plans/${shared.seriesId}${query}`);
  return page;
}

describe('axe finds nothing', () => {
  it.each([
    ['on a desk', false],
    ['on a phone', true],
  ])('%s on a plan with threads, with a draft reply and open menus', async (_where, phone) => {
    const page = await openPlan('', phone);
    await page.getByRole('region', { name: 'Discussion' }).waitFor();
    await page.locator('mark').first().click();
    await page.getByRole('button', { name: 'Reply' }).filter({ visible: true }).first().click();
    await expectAccessibleOn(phone, page, 'a thread with a reply begun');
    if (phone) {
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Contents' }).click();
      await page.getByRole('dialog', { name: 'Contents' }).waitFor();
      await expectAccessible(page, 'the contents');
      await closeDialog(page);
    }
    await page.getByRole('button', { name: /^Version: / }).click();
    await page.getByRole('menu').waitFor();
    await expectAccessibleOn(phone, page, 'the plan with its threads, and the list of versions');
  });

  it('in its dialogs', async () => {
    const page = await openPlan();
    for (const name of ['Approve', 'Request review', 'Link a pull request']) {
      if (name.startsWith('Link')) await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('button', { name, exact: true }).or(page.getByRole('menuitem', { name })).click();
      await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('searchbox')).first().waitFor();
      await expectAccessible(page, name);
      await closeDialog(page);
    }
  });

  it('in its other views', async () => {
    const page = await openPlan('?view=source');
    for (const view of ['source', 'changes', 'activity']) {
      if (view === 'changes') await page.getByRole('button', { name: 'Formatted' }).click();
      if (view === 'activity') await page.getByRole('link', { name: 'Activity' }).click();
      await page
        .locator(view === 'activity' ? 'ol' : '[data-change]')
        .first()
        .waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await expectAccessible(page, view);
    }
  });
});

it('reading, commenting, replying and deciding work with only the keyboard', async () => {
  const plan = await samplePlan((content) => content);
  const { page } = await newPerson(service.url, { as: acme.admin });
  await page.goto(`/plans/${plan.seriesId}`);
  await page.getByRole('region', { name: 'Discussion' }).waitFor();
  await page.keyboard.press('n');
  await expect(page.evaluate('document.activeElement.dataset.thread')).resolves.toBeTruthy();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.evaluate('document.activeElement.textContent')).resolves.toBe('Reply');
  await page.keyboard.press('Enter');
  await page.keyboard.type('By keys');
  await page.keyboard.press('Escape');
  await page.getByText('Discard this comment?').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('article').getByText('By keys').and(page.locator('p')).waitFor();
  await page.locator('mark[role=button]').last().focus();
  await page.keyboard.press('Enter');
  await page.locator('mark[data-tone=active]').first().waitFor();
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.evaluate('scrollTo(0, 0)');
  await page.keyboard.press('c');
  await page.getByText('Choose a sentence').waitFor();
  // From the title past the first sentence to the second.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate('getSelection().toString()'))
    .toBe(
      'Today the only remedy is to revoke a key and to hope that every pipeline is updated within minutes.',
    );
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Which ones?');
  await page.keyboard.press('Control+Enter');
  await page.locator('mark[data-tone=active]', { hasText: /^Keys leak\.$/ }).waitFor();
  await page.locator('[data-active=true]', { hasText: 'Which ones?' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Fine');
  await page.keyboard.press('Control+Enter');
  await page.locator('header').getByText('Approved').waitFor();
  await page.keyboard.press('?');
  for (const meaning of [
    'Next thread',
    'Previous thread',
    'Comment on the selection, or choose a sentence',
    'Next sentence, after c',
    'Comment on the sentence, after c',
    'Add a general comment',
  ])
    await page.getByRole('dialog').getByText(meaning).waitFor();
});

it('on a phone, threads and drafts open over the text, and nothing is wider than the screen', async () => {
  const plan = await samplePlan();
  const { page } = await newPerson(service.url, { phone: true, as: acme.member });
  await page.goto(`/plans/${plan.seriesId}`);
  await page.getByRole('region', { name: 'Discussion' }).waitFor();
  await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBeLessThanOrEqual(390);
  await page.locator('mark', { hasText: 'which is 72 hours later' }).first().tap();
  const sheet = page.getByRole('dialog', { name: 'Comments' });
  await sheet.getByText('dead on Saturday').waitFor();
  await sheet.getByRole('button', { name: 'Reply' }).tap();
  await sheet.getByRole('textbox').fill('From my phone');
  await sheet.getByRole('button', { name: 'Reply' }).last().tap();
  await sheet.getByRole('textbox').waitFor({ state: 'detached' });
  await sheet.getByText('From my phone').waitFor();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await selectWords(page, 'revoked at once');
  await page.getByRole('button', { name: 'Comment', exact: true }).tap();
  const writing = page.getByRole('dialog', { name: 'New comment' });
  await writing.getByRole('textbox').fill('unfinished');
  await writing.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Continue writing' }).tap();
  await expect(writing.getByRole('textbox').inputValue()).resolves.toBe('unfinished');
  await writing.getByRole('button', { name: 'Comment', exact: true }).tap();
  await writing.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^\d+ comments?$/ }).tap();
  await sheet.getByText('unfinished').waitFor();
});
