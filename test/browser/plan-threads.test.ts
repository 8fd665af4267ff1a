/** Comments on a plan: on selected words, with replies, edits, triage and muting; drafts are never lost. */

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { markAddressedComments } from '../../src/features/plans/index.ts';
import { createLog } from '../../src/platform/core/telemetry/log.ts';
import { NodeState } from '../../src/platform/core/work/node-state.ts';
import { PASSWORD } from '../helpers/service/factories.ts';
import { withKey } from '../helpers/service/harness.ts';
import { layoutShifts, startBrowser, startServiceWithPages } from './browser.ts';
import {
  type PostedPlan,
  postComment,
  postPlan,
  postVersion,
  SAMPLE_PLAN,
  selectWords,
} from './plan-samples.ts';

const service = await startServiceWithPages();
const { acme } = service;
const { newPerson } = await startBrowser();

async function open(plan: PostedPlan, as = acme.member, query = '') {
  const person = await newPerson(service.url, { as });
  await person.page.goto(`/plans/${plan.seriesId}${query}`);
  await person.page.locator('.markdown h1').waitFor();
  await person.page.getByRole('region', { name: 'Discussion' }).waitFor();
  return person;
}

const thread = (page: Page, words: string) =>
  page.getByRole('article').filter({ hasText: words }).filter({ visible: true });
const commentsOf = async (plan: PostedPlan) =>
  (await service.request('GET', `/api/v2/plans/${plan.seriesId}/comments`, { as: { key: acme.member.key } }))
    .body.comments;
const FOCUSED = 'document.activeElement.getAttribute("aria-label")';
/** The state of the margin: the active card and its sentence, and which visible cards overlap. */
const MARGIN = `(() => {
  const card = document.querySelector('[data-card]:has([data-active=true])').getBoundingClientRect();
  const mark = document.querySelector('mark[data-tone=active]').getBoundingClientRect();
  const top = Math.max(...[...document.querySelectorAll('[data-sticky]')].map((each) =>
    each.getBoundingClientRect().bottom));
  const cards = [...document.querySelectorAll('[data-card]')]
    .map((each) => ({ text: each.innerText, ...each.getBoundingClientRect().toJSON() }))
    .sort((one, other) => one.top - other.top);
  return {
    isAligned: Math.abs(card.top - mark.top) < 12,
    isInView: Math.min(card.top, mark.top) >= top && Math.max(card.bottom, mark.bottom) <= innerHeight,
    overlaps: cards.filter((each, index) => cards[index + 1]?.top < each.bottom).map(({ text }) => text),
  };
})()`;
const discard = (page: Page) => page.getByText('Discard this comment?');

describe('a comment', () => {
  it('on selected words quotes their source, appears beside them, and opens with them', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan);
    await selectWords(page, 'keys work for a while');
    await page.getByRole('button', { name: /^Comment c?$/ }).click();
    const area = page.getByRole('textbox', { name: 'Comment on the selection' });
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Comment on the selection');
    await area.fill('For how long?');
    await page.keyboard.press('Control+Enter');
    await thread(page, 'For how long?').waitFor();
    const [comment] = await commentsOf(plan);
    expect(JSON.parse(comment.anchor)).toEqual({
      quote: 'keys work for a while',
      prefix: expect.stringMatching(/A rotation that lets \*\*both $/),
      suffix: expect.stringMatching(/^\*\* would have prevented/),
      heading: 'Why',
    });
    expect(comment.versionId).toBe(plan.versionId);

    const mark = page.locator('mark[data-tone]', { hasText: 'keys work for a while' });
    const [beside, words] = await Promise.all([
      thread(page, 'For how long?').boundingBox(),
      mark.boundingBox(),
    ]);
    expect(Math.abs(beside!.y - words!.y), 'the card is at the height of its words').toBeLessThan(12);
    await page.locator('.markdown p').first().click();
    await expect(mark.getAttribute('data-tone')).resolves.toBe('comment');
    await mark.click();
    await expect(mark.getAttribute('data-tone')).resolves.toBe('active');
    await expect(thread(page, 'For how long?').getAttribute('data-active')).resolves.toBe('true');
  });

  it('on the whole plan needs no selection, and on a section only the keyboard', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan);
    await page.keyboard.press('Shift+C');
    await page.getByRole('textbox', { name: 'General comment' }).fill('Looks **good**.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await thread(page, 'Looks good.').locator('strong').waitFor();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Decisions' }).focus();
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Comment on the selection' }).fill('Who decided?');
    await page.keyboard.press('Control+Enter');
    await thread(page, 'Who decided?').waitFor();
    const comments = await commentsOf(plan);
    expect(
      comments.map(({ anchor }: { anchor: string | null }) => anchor && JSON.parse(anchor).quote),
    ).toEqual([null, 'Decisions']);
  });

  it('cannot be added by a viewer, who can read all of them', async () => {
    const plan = await postPlan(service, acme.owner);
    await postComment(service, acme.owner, plan, 'Read me', { on: 'Keys leak.' });
    const { page } = await open(plan, acme.viewer);
    await thread(page, 'Read me').waitFor();
    for (const name of ['Reply', 'Accept', 'Dismiss', 'Add a general comment', 'Approve'])
      await expect(page.getByRole('button', { name, exact: true }).count(), name).resolves.toBe(0);
    await page.keyboard.press('c');
    await expect(page.getByRole('textbox').count()).resolves.toBe(0);
  });
});

describe('a thread', () => {
  it('accepts replies, and authors can edit only their own comments', async () => {
    const plan = await postPlan(service, acme.owner);
    const id = await postComment(service, acme.owner, plan, 'Not mine', { on: 'Keys leak.', byKey: true });
    await postComment(service, acme.owner, plan, 'First reply', { parentId: id });
    const { page } = await open(plan);
    const card = thread(page, 'Not mine');
    await card.getByTitle('Posted with an API key').waitFor();
    await card.getByRole('button', { name: 'Reply' }).click();
    await card.getByRole('textbox').fill('My answer');
    await page.keyboard.press('Control+Enter');
    await card.getByRole('textbox').waitFor({ state: 'detached' });
    await card.getByText('My answer').waitFor();
    await expect(card.getByRole('button', { name: 'Edit comment' }).count(), 'only my own').resolves.toBe(1);
    await card.getByRole('button', { name: 'Edit comment' }).click();
    await card.getByRole('textbox', { name: 'Edit comment' }).fill('My better answer');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByRole('textbox').waitFor({ state: 'detached' });
    await card.getByText('My better answer').waitFor();
    await card.getByText('edited').waitFor();
    expect((await commentsOf(plan)).map(({ body }: { body: string }) => body)).toEqual([
      'Not mine',
      'First reply',
      'My better answer',
    ]);
  });

  it('is accepted, dismissed, restored and cleared with one click each, and the filter updates', async () => {
    const plan = await postPlan(service, acme.owner);
    await postComment(service, acme.owner, plan, 'Maybe', { on: 'Keys leak.' });
    await postComment(service, acme.owner, plan, 'In general');
    const { page } = await open(plan);
    const discussion = page.getByRole('region', { name: 'Discussion' });
    await discussion
      .getByText('Accept: tell the agent to apply a comment. Dismiss: tell it to ignore it.')
      .waitFor();
    const state = async () => (await commentsOf(plan))[0].triageState;
    const card = thread(page, 'Maybe');
    await card.getByRole('button', { name: 'Accept' }).click();
    await card.getByRole('button', { name: 'Accept', pressed: true }).waitFor();
    await expect.poll(state).toBe('open');
    await card.getByRole('button', { name: 'Accept' }).click();
    await expect.poll(state).toBe(null);
    await card.getByText('Accept: tell the agent to apply this. Dismiss: tell it to ignore this.').waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
    await expect.poll(state).toBe('dismissed');
    await page.getByText('Comment dismissed. The agent will ignore it.').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.waitFor();
    await expect.poll(state).toBe(null);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(state).toBe('dismissed');
    const shown = page.getByRole('group', { name: 'Show comments' });
    await shown.getByRole('button', { name: 'Dismissed 1' }).click();
    await card.getByRole('button', { name: 'Dismiss', pressed: true }).waitFor();
    await page.locator('.markdown h2').first().click();
    await page.locator('mark[data-tone=quiet]', { hasText: 'Keys leak.' }).waitFor();
    await shown.getByRole('button', { name: 'All 2' }).click();
    await card.waitFor();
    await shown.getByRole('button', { name: 'Open 1' }).click();
    await card.waitFor({ state: 'detached' });
  });

  it('shows a change immediately, and reverts it with the reason when the service refuses', async () => {
    const plan = await postPlan(service, acme.owner);
    await postComment(service, acme.owner, plan, 'Refused', { on: 'Keys leak.' });
    const { allow, page } = await open(plan);
    allow(/ERR_FAILED/);
    await page.route('**/comments/*', (route) => route.abort());
    await thread(page, 'Refused').getByRole('button', { name: 'Accept' }).click();
    await page.getByText('The service cannot be reached.').first().waitFor();
    await thread(page, 'Refused').getByRole('button', { name: 'Accept', pressed: false }).waitFor();
  });

  it('is muted for only one person, and has a link', async () => {
    const plan = await postPlan(service, acme.owner);
    const id = await postComment(service, acme.owner, plan, 'Far below', { on: 'no request may fail' });
    await postComment(service, acme.owner, plan, 'An answer', { parentId: id });
    const { context, page } = await open(plan);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    await thread(page, 'Far below').getByRole('button', { name: 'Thread actions' }).click();
    await page.getByRole('menuitem', { name: /^Mute/ }).click();
    await thread(page, 'Far below').getByRole('img', { name: 'Muted' }).waitFor();
    // The page shows it before it is saved.
    const muted = async () =>
      (await service.request('GET', `/api/v2/plans/${plan.seriesId}/comments`, { as: withKey(acme.member) }))
        .body.mutedThreadIds;
    await expect.poll(muted).toEqual([id]);
    await thread(page, 'Far below').getByRole('button', { name: 'Thread actions' }).click();
    await page.getByRole('menuitem', { name: /^Unmute/ }).waitFor();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').first().waitFor();
    const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await page.goto(link);
    await page.locator('[data-active=true]', { hasText: 'Far below' }).waitFor();
    await expect
      .poll(async () => (await page.locator('mark[data-tone=active]').boundingBox())!.y)
      .toBeLessThan(800);
  });

  it('with many replies shows the last ones, and the others on demand', async () => {
    const plan = await postPlan(service, acme.owner);
    const parentId = await postComment(service, acme.owner, plan, 'Long talk', { on: 'Keys leak.' });
    for (const reply of ['one', 'two', 'three', 'four', 'five'])
      await postComment(service, acme.owner, plan, `reply ${reply}`, { parentId });
    const { page } = await open(plan);
    const card = thread(page, 'Long talk');
    await card.getByText('reply five').waitFor();
    await expect(card.getByText('reply one').count()).resolves.toBe(0);
    await card.getByRole('button', { name: 'Show 3 earlier replies' }).click();
    await card.getByText('reply one').waitFor();
  });
});

describe('a draft', () => {
  it('survives Escape, a reload and another view; only an explicit discard loses it', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan);
    await selectWords(page, 'revoked at once');
    await page.getByRole('button', { name: /^Comment c?$/ }).click();
    const area = page.getByRole('textbox', { name: 'Comment on the selection' });
    await area.fill('half a thought');
    await page.keyboard.press('Escape');
    await discard(page).waitFor();
    await page.getByRole('button', { name: 'Keep writing' }).click();
    await page.reload();
    await expect(area.inputValue()).resolves.toBe('half a thought');
    await page.locator('mark[data-tone=active]', { hasText: 'revoked at once' }).waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('posted the plan').waitFor();
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await expect(area.inputValue()).resolves.toBe('half a thought');
    await area.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await area.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('region', { name: 'Discussion' }).waitFor();
    await expect(area.count()).resolves.toBe(0);
    await expect(commentsOf(plan)).resolves.toEqual([]);
  });

  it('is kept when sending fails, and is posted only once despite retries', async () => {
    const plan = await postPlan(service, acme.owner);
    const { allow, page } = await open(plan);
    allow(/ERR_FAILED|request failed/);
    // The service handles the request, but the reply is lost.
    await page.route('**/comments', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press('Shift+C');
    await page.getByRole('textbox').fill('Only once');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await expect(page.getByRole('textbox').inputValue()).resolves.toBe('Only once');
    await page.unroute('**/comments');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await thread(page, 'Only once').waitFor();
    await expect(commentsOf(plan)).resolves.toHaveLength(1);
  });

  it('is sent after signing in again when the session has ended', async () => {
    const plan = await postPlan(service, acme.owner);
    const { page } = await open(plan, acme.admin);
    await page.keyboard.press('Shift+C');
    await page.getByRole('textbox').fill('Patience');
    await service.db.deleteFrom('sessions').where('id', '=', acme.admin.sessionId).execute();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await thread(page, 'Patience').waitFor();
  });
});

it('comments on an older version show what happened to their quote', async () => {
  const plan = await postPlan(service, acme.owner);
  await postComment(service, acme.member, plan, 'stays', { on: 'Keys leak.' });
  await postComment(service, acme.member, plan, 'is edited', {
    on: 'which is 24 hours later by default',
  });
  await postComment(service, acme.member, plan, 'is taken out', {
    on: 'Do we allow a longer time than 24 hours?',
  });
  await postComment(service, acme.member, plan, 'moves', {
    on: 'Write the audit event `key.rotated`',
  });
  await postComment(service, acme.member, plan, 'points nowhere', { anchor: 'words that were never there' });
  const step = '- [ ] Write the audit event `key.rotated`\n';
  const revised = `${SAMPLE_PLAN.replace(step, '')
    .replace('which is 24 hours later by', 'which is 72 hours later by')
    .replace('2. Do we allow a longer time than 24 hours?\n', '')}\n## Afterwards\n\n${step}`;
  await postVersion(service, acme.owner, plan, revised);
  const log = createLog({ level: 'silent', terminal: false });
  await markAddressedComments(service.db, service.clock.now(), {
    announce: () => undefined,
    log,
    state: new NodeState(undefined),
  });
  const { page } = await open(plan);
  const stays = thread(page, 'stays');
  await stays.getByText('on v1').waitFor();
  await expect(stays.getByText(/Moved|changed|Addressed/).count()).resolves.toBe(0);
  const edited = thread(page, 'is edited');
  await edited.getByText('Addressed in v2').waitFor();
  await expect(edited.locator('del').textContent()).resolves.toBe('24');
  await expect(edited.locator('ins').textContent()).resolves.toBe('72');
  await thread(page, 'moves').getByText('Moved').waitFor();
  const gone = page.getByRole('region', { name: 'Discussion' });
  await gone.getByRole('heading', { name: /^Comments on removed text/ }).waitFor();
  await thread(page, 'is taken out').getByText('Was under “Open questions”').waitFor();
  await thread(page, 'points nowhere').getByText('words that were never there').waitFor();
  await page.goto(`/plans/${plan.seriesId}?version=1`);
  await page.getByText('You’re viewing version 1.').waitFor();
  await page.locator('mark', { hasText: 'Do we allow a longer time' }).waitFor();
});

it('with 60 threads the active card is always beside its sentence, both in view, and nothing overlaps', async () => {
  const content = `# Long\n\n${Array.from({ length: 130 }, (_, index) => `Sentence number ${index} of this plan.`).join('\n\n')}\n`;
  const plan = await postPlan(service, acme.owner, content);
  // Two on each of the first sentences, so that there is more above some cards than there is room for.
  const sentences = Array.from({ length: 60 }, (_, index) =>
    index < 40 ? Math.floor(index / 2) : index * 2 + 10,
  );
  for (const [index, sentence] of sentences.entries())
    await postComment(service, acme.owner, plan, `Remark ${index}.`, {
      on: `Sentence number ${sentence} of`,
    });
  const { page } = await open(plan);
  await page.getByRole('button', { name: 'Open 60' }).waitFor();
  const active = (index: number) => page.locator('[data-active=true]', { hasText: `Remark ${index}.` });
  const expectAligned = async (index: number) => {
    await active(index).waitFor();
    await expect
      .poll(() => page.evaluate(MARGIN), { message: `remark ${index}` })
      .toEqual({
        isAligned: true,
        isInView: true,
        overlaps: [],
      });
  };
  for (let index = 0; index < 26; index += 1) {
    await page.keyboard.press('n');
    if (index % 5 === 0) await expectAligned(index);
  }
  await expectAligned(25);
  await page.getByRole('button', { name: 'Previous thread' }).click();
  await expectAligned(24);
  await page.getByText('Thread 25 of 60').waitFor();
  // A folded card below, which is not beside its sentence and therefore quotes it.
  const folded = thread(page, 'Remark 28.');
  await folded.getByText('Sentence number 14 of').waitFor();
  await folded.click();
  await expectAligned(28);
  await page.locator('mark', { hasText: 'Sentence number 16 of' }).click();
  await expectAligned(32);
  await page.keyboard.press('Escape');
  await page.locator('[data-active=true]').waitFor({ state: 'detached' });
  await page.keyboard.press('p');
  await expectAligned(59);
  await expect(page.getByRole('article').count(), 'only those nearby are rendered').resolves.toBeLessThan(60);
  expect(await layoutShifts(page)).toEqual([]);
});
