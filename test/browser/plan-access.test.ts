/** Everything on the plan page with only the keyboard, and with a phone. */
import { expect, it } from 'vitest';
import { expectAccessible, startBrowser, startServiceWithPages } from './browser.ts';
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
  await expectAccessible(page, 'a thread with a reply begun');
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
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Link a pull request' }).press('Enter');
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  await expectAccessible(page, 'linking a pull request');
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
  await expectAccessible(page, 'a thread with a reply begun');
  await sheet.getByRole('button', { name: 'Reply' }).last().tap();
  await sheet.getByRole('textbox').waitFor({ state: 'detached' });
  await sheet.getByText('From my phone').waitFor();
  await sheet.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Contents' }).tap();
  await page.getByRole('dialog', { name: 'Contents' }).waitFor();
  await expectAccessible(page, 'the contents');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
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
