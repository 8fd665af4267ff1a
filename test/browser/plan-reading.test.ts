/** Reading a plan: its header, outline, versions, changes and activity. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { startBrowser, startServiceWithPages } from './browser.ts';
import {
  inFull,
  OVERLAPPING_PLAN,
  type PostedPlan,
  postComment,
  postPlan,
  postVersion,
  SAMPLE_PLAN,
  SAMPLE_PLAN_REVISED,
} from './plan-samples.ts';

const service = await startServiceWithPages();
const { acme } = service;
const { newPerson } = await startBrowser();

async function open(plan: { seriesId: string }, query = '') {
  const person = await newPerson(service.url, { as: acme.member });
  await person.page.goto(`/plans/${plan.seriesId}${query}`);
  return person;
}

const shown = (page: Page) => page.locator('[data-source-view]').first();
const report = (plan: PostedPlan, eventType: string) =>
  service.request('POST', '/api/v2/mcp-sessions/events', {
    as: { key: acme.owner.key },
    body: { sessionId: plan.seriesId, eventType, repository: 'acme/gateway', agentVendor: 'claude-code' },
  });

it('the header shows its author, agent and repositories; the outline links to its sections', async () => {
  const plan = await postPlan(service, acme.owner, inFull(SAMPLE_PLAN));
  const { page } = await open(plan);
  await page.getByRole('heading', { level: 1, name: 'Rotate API keys without downtime' }).first().waitFor();
  await expect(page.title()).resolves.toBe('Rotate API keys without downtime · Countersign');
  await page.getByRole('button', { name: 'Details' }).click();
  for (const fact of ['Claude Code', 'Model: claude-opus-4-5', '182.4K tokens in, 12.9K out', 'Pending'])
    await page.getByText(fact, { exact: true }).first().waitFor();
  await expect(page.getByRole('heading', { level: 1 }).count(), 'one title').resolves.toBe(1);
  await page.getByText('v1 by Acme owner').waitFor();
  await page.getByRole('img', { name: /Diagram \(flowchart\)/ }).waitFor();
  await page.locator('.code-keyword', { hasText: 'SELECT' }).waitFor();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  await contents.getByText('2 of 5 steps done').waitFor();
  await contents
    .getByRole('link', { name: /^Steps/ })
    .getByText('2/5')
    .waitFor();
  await contents.getByRole('link', { name: 'Verification' }).click();
  await expect
    .poll(() => contents.locator('[aria-current=location]').textContent())
    .toMatch(/Verification|Open questions|Steps/);
  await expect(page.evaluate('scrollY')).resolves.toBeGreaterThan(200);
});

it('versions are selected from a list that describes each, and an old one has a notice', async () => {
  const plan = await postPlan(service, acme.owner);
  await postVersion(service, acme.owner, plan, SAMPLE_PLAN);
  await postVersion(service, acme.owner, plan, SAMPLE_PLAN_REVISED);
  const { page } = await open(plan);
  await shown(page).getByRole('heading', { name: 'Rollback' }).waitFor();
  await page.getByRole('button', { name: 'Version: v3 of 3' }).click();
  await page.getByRole('menuitemradio', { name: /^v2 .*Unchanged/ }).waitFor();
  await page.getByRole('menuitemradio', { name: /^v1 / }).click();
  await page.getByText('You’re viewing version 1. The latest is version 3.').waitFor();
  await expect(shown(page).getByRole('heading', { name: 'Rollback' }).count()).resolves.toBe(0);
  await page.reload();
  await page.getByText('You’re viewing version 1. The latest is version 3.').waitFor();
  await page.getByRole('button', { name: 'Show version 3' }).click();
  await shown(page).getByRole('heading', { name: 'Rollback' }).waitFor();
  await expect(page.evaluate('location.search')).resolves.toBe('');
});

it('a returning reader sees what is new since the version they read, until they have viewed it', async () => {
  const plan = await postPlan(service, acme.owner);
  const { page } = await open(plan);
  await shown(page).getByRole('heading', { name: 'Verification' }).waitFor();
  await postVersion(service, acme.owner, plan, SAMPLE_PLAN_REVISED);
  await postVersion(service, acme.owner, plan, `${SAMPLE_PLAN_REVISED}\nOne more line.\n`);
  await page.goto('/plans');
  await page.goto(`/plans/${plan.seriesId}`);
  await page.getByText('Version 3 is new to you. You last read version 1.').waitFor();
  await page.getByRole('button', { name: 'View changes' }).click();
  await page.getByRole('button', { name: 'From: v1' }).waitFor();
  await page.getByRole('link', { name: 'Plan', exact: true }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await shown(page).getByText('One more line.').waitFor();
  await expect(page.getByText('is new to you').count()).resolves.toBe(0);
});

it('the changes between two versions are shown formatted and as source, and n and p step through them', async () => {
  const plan = await postPlan(service, acme.owner);
  await postVersion(service, acme.owner, plan, SAMPLE_PLAN_REVISED);
  const { page } = await open(plan, '?view=changes');
  await page.getByText('5 changes').waitFor();
  await page.getByText(/^\+\d+ −\d+ words$/).waitFor();
  const changed = page.getByRole('group', { name: 'Changed' }).first();
  await expect(changed.locator('mark[data-tone=removed]').first().textContent()).resolves.toBe('24');
  await expect(changed.locator('mark[data-tone=added]').first().textContent()).resolves.toBe('72');
  await page.getByRole('group', { name: 'Marked as done' }).waitFor();
  await page.getByRole('group', { name: 'Added' }).getByRole('heading', { name: 'Rollback' }).waitFor();
  await page.getByRole('group', { name: 'Removed' }).getByText('Do we allow a longer time').waitFor();
  await expect(page.getByText('Keys leak.').count(), 'what is unchanged is folded').resolves.toBe(0);
  await page
    .getByRole('button', { name: /unchanged blocks/ })
    .first()
    .click();
  await page.getByText('Keys leak.').waitFor();
  await page.keyboard.press('n');
  await page.getByText('1 of 5').waitFor();
  await expect(page.evaluate('document.activeElement.getAttribute("aria-label")')).resolves.toBe('Changed');
  await page.keyboard.press('p');
  await page.getByText('5 of 5').waitFor();
  await page.getByRole('group', { name: 'View as' }).getByRole('button', { name: 'Source' }).click();
  await page.getByRole('row', { name: /^47 removed 2\. Do we allow/ }).waitFor();
  await page.getByRole('row', { name: /added ## Rollback/ }).waitFor();
  await page.getByRole('button', { name: 'From: v1' }).click();
  await page.getByRole('menuitemradio', { name: /^v2 / }).click();
  await page.getByText('There is nothing to compare.').waitFor();
});

it('activity, overlapping plans and the planner session are in one view', async () => {
  const files = OVERLAPPING_PLAN.replace('Show when', `Overlap ${Date.now()}: show when`);
  const repoNames = [`acme/overlap-${Date.now()}`];
  const plan = await postPlan(service, acme.owner, SAMPLE_PLAN, { repoNames });
  await postPlan(service, acme.member, files, { repoNames });
  for (const kind of ['planner_session_started', 'planner_tool_called']) await report(plan, kind);
  const thread = await postComment(service, acme.admin, plan, 'Something', { on: 'Keys leak.' });
  const { page } = await open(plan);
  await page.getByRole('link', { name: '1 other plan for the same files' }).click();
  const overlap = page.locator('#overlap');
  await overlap.getByText('src/api-keys/find-key.ts').waitFor();
  await overlap.getByRole('link', { name: /^Overlap/ }).waitFor();
  await page.getByText(/2 events/).waitFor();
  await page.getByRole('link', { name: 'commented' }).click();
  await page.locator(`[data-thread="${thread}"][data-active=true]`).waitFor();
});

it('an unknown plan is explained, and one that cannot be loaded can be retried', async () => {
  const plan = await postPlan(service, acme.owner);
  const missing = await open({ seriesId: crypto.randomUUID() });
  await missing.page.getByRole('heading', { name: 'Plan not found' }).waitFor();
  await missing.page.goto('/plans/nonsense');
  await missing.page.getByRole('heading', { name: 'Plan not found' }).waitFor();
  const globex = await newPerson(service.url, { as: service.globex.owner });
  await globex.page.goto(`/plans/${plan.seriesId}`);
  await globex.page.getByRole('heading', { name: 'Plan not found' }).waitFor();

  const { allow, page } = await newPerson(service.url, { as: acme.member });
  allow(/ERR_FAILED/);
  await page.route(`**/api/v2/plans/${plan.seriesId}`, (route) => route.abort());
  await page.goto(`/plans/${plan.seriesId}`);
  await page.getByText('No connection').waitFor();
  await page.unroute(`**/api/v2/plans/${plan.seriesId}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await shown(page).getByRole('heading', { name: 'Verification' }).waitFor();
});
