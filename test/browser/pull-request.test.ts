/** One pull request in the browser: its difference, discussions between the lines, and its conversation. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { postPlan } from '../helpers/rows/plans.ts';
import { withKey, withSession } from '../helpers/service/harness.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { cachedListPullRequest, type SamplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;

const sample = () => cachedListPullRequest(service);

async function openFiles(pullRequest: SamplePullRequest, options: object = {}): Promise<Page> {
  const { page } = await newPerson(service.url, { as: acme.admin, ...options });
  await page.goto(`/pull-requests/${pullRequest.id}?view=files`);
  await page.getByRole('table', { name: 'Changes in src/list.ts' }).getByText('cached(30)').waitFor();
  return page;
}

const fileOf = (page: Page, path: string) => page.getByRole('region', { name: path });
const listOf = (page: Page) => fileOf(page, 'src/list.ts');
const numberOf = (page: Page, side: 'old' | 'new', line: number) =>
  listOf(page).locator(`.number[data-side=${side}][data-number="${line}"]`);

/** For tests that only look. */
const looked = await sample();

describe('the files of a pull request', () => {
  it('shows lines with changed words, expands what is unchanged, and says why a file has no lines', async () => {
    const page = await openFiles(await sample());
    const rows = listOf(page).getByRole('row');
    await expect(rows.filter({ hasText: 'cached' }).innerText()).resolves.toContain(
      'const line30 = cached(30);',
    );
    await expect(listOf(page).locator('mark').allInnerTexts()).resolves.toEqual(['cached(', ')']);
    await expect(fileOf(page, 'new-name.txt').innerText()).resolves.toMatch(
      /old-name\.txt → new-name\.txt[\s\S]*Renamed without changes/,
    );
    await expect(fileOf(page, 'logo.png').innerText()).resolves.toContain('Binary file');
    // Lock files are collapsed.
    await expect(fileOf(page, 'package-lock.json').getByRole('table').count()).resolves.toBe(0);
    const tree = page.getByRole('navigation', { name: 'Changed files' });
    await expect(tree.getByRole('button').allInnerTexts()).resolves.toEqual(
      expect.arrayContaining(['src', 'deep/er', expect.stringContaining('other.ts')]),
    );
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('menuitemradio', { name: 'Split' }).click();
    const both = listOf(page).getByRole('row').filter({ hasText: 'cached' });
    await expect(both.innerText()).resolves.toMatch(/line30 = 30;[\s\S]*line30 = cached/);

    await listOf(page).getByRole('button', { name: 'Show 26 unchanged lines' }).click();
    await listOf(page).getByText('const line1 = 1;').first().waitFor();

    await listOf(page).getByLabel('Viewed').check();
    await eventually(() => listOf(page).getByRole('table').count()).toBe(0);
    await page.reload();
    await eventually(() => listOf(page).getByLabel('Viewed').isChecked()).toBe(true);
  });

  it('asks once for what the page was told to load early', async () => {
    const pullRequest = looked;
    const { page } = await newPerson(service.url, { as: acme.admin });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(`/pull-requests/${pullRequest.id}?view=files`);
    await listOf(page).getByText('cached(30)').waitFor();
    const path = `/api/v2/pull-requests/${pullRequest.id}`;
    for (const once of ['/api/v2/session', path, `${path}/discussions`, `${path}/files`])
      expect(requested.filter((each) => each === once)).toHaveLength(1);
    expect(requested).not.toContain(`${path}/files/diff`);
  });

  it('opens discussions with the mouse and with the keyboard, and settles them with one key', async () => {
    const pullRequest = await sample();
    const page = await openFiles(pullRequest);
    await numberOf(page, 'new', 30).click();
    await page.getByLabel('Comment on line 30').fill('Why cached?');
    await page.getByRole('button', { name: 'Suggest a change' }).click();
    await eventually(() => page.getByLabel('Comment on line 30').inputValue()).toContain(
      '```suggestion\nconst line30 = cached(30);\n```',
    );
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).getByText('Suggested change').waitFor();
    await page.keyboard.press('Control+Enter');
    const first = page.getByRole('article', { name: 'Discussion by Acme admin' });
    await first.getByText('Why cached?').waitFor();
    await first.getByText('Suggested change').waitFor();

    // The keyboard selects two lines, and comments on them.
    await listOf(page)
      .getByRole('button', { name: /^(Old|New) line/ })
      .first()
      .focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Comment on lines 28 to 29' }).fill('These two.');
    await page.keyboard.press('Control+Enter');
    const second = page.getByRole('article').filter({ hasText: 'These two.' });
    await second.waitFor();
    await expect(second.getByText('Lines 28–29').isVisible()).resolves.toBe(true);
    const body = await service.request('GET', `/api/v2/pull-requests/${pullRequest.id}/discussions`, {
      as: withSession(acme.viewer),
    });
    expect(body.body.discussions).toMatchObject([
      { startLine: 30, endLine: 30, commentedCode: expect.stringContaining('cached(30)') },
      { startLine: 28, endLine: 29, side: 'new' },
    ]);

    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('n');
    await eventually(() => page.evaluate('document.activeElement.dataset.discussion')).toBeTruthy();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Reply to Acme admin' }).fill('Because.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Because.').waitFor();
    await page.getByRole('textbox').waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await page.getByText('1 open', { exact: true }).first().waitFor();
    await page.getByText('Discussion resolved.').first().waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Discussions' }).click();
    await page.getByLabel('Status').selectOption('resolved');
    await eventually(() => page.getByRole('list', { name: 'Discussions' }).getByRole('button').count()).toBe(
      1,
    );
    expect(new URL(page.url()).searchParams.get('status')).toBe('resolved');
  });

  it('shows on a phone that there are more tabs', async () => {
    const pullRequest = looked;
    const { page } = await newPerson(service.url, { as: acme.viewer, phone: true });
    const views = page.getByRole('navigation', { name: 'Pull request views' });
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`/pull-requests/${pullRequest.id}`);
    await eventually(() => views.getAttribute('class')).toContain('mask-r-');
    await views.getByRole('link', { name: 'Activity' }).click();
    await eventually(() => views.getAttribute('class')).toContain('mask-l-');
  });
});

describe('beside and instead of the difference', () => {
  it('is the plan with the files that it names, or a note that the commits are missing', async () => {
    const pullRequest = await sample();
    const content =
      '# Cache lists\n\n## Steps\n1. Change `src/list.ts`.\n2. Drop `src/missing.ts`.\n3. Tell everyone.';
    const plan = await postPlan(service, acme.member, { content });
    await service.request('POST', `/api/v2/plans/${plan.body.seriesId}/pull-requests`, {
      as: withKey(acme.member),
      body: { prNumber: 1, repoId: pullRequest.repository.id },
    });
    const page = await openFiles(pullRequest);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Plan: Cache lists' });
    await panel.getByText('Steps · 3, 1 without a changed file').waitFor();
    await expect(panel.getByRole('listitem').filter({ hasText: 'Drop' }).innerText()).resolves.toContain(
      'No file that it names is changed.',
    );
    await expect(panel.innerText()).resolves.toMatch(
      /Changed as planned · 1\s+src\/list\.ts[\s\S]*In the plan, not changed · 1\s+src\/missing\.ts[\s\S]*Changed, not in the plan · \d/,
    );

    await service.db
      .updateTable('pull_requests')
      .set({ head_commit: null })
      .where('id', '=', pullRequest.id)
      .execute();
    await page.reload();
    await page.getByText('The commits aren’t here yet').waitFor();
  });
});

describe('the conversation of a pull request', () => {
  it('takes comments, and a review that names the head', async () => {
    const pullRequest = await sample();
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto(`/pull-requests/${pullRequest.id}`);
    await untilLoaded(page, /Cache the list/);
    const rightOf = async (place: Locator) => {
      const box = (await place.boundingBox())!;
      return Math.round(box.x + box.width);
    };
    const edge = await rightOf(page.getByRole('navigation', { name: 'Pull request views' }));
    await expect(rightOf(page.getByRole('region', { name: 'Description' }))).resolves.toBe(edge);
    await page.getByLabel('Comment on the pull request').fill('Nice **work**.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('list', { name: 'Conversation' }).getByText('work').waitFor();
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByText(`You’re reviewing commit ${pullRequest.head.slice(0, 7)}.`).waitFor();
    await page.getByRole('radio', { name: 'Request changes' }).check();
    await page.getByRole('button', { name: 'Request changes' }).click();
    await page.getByText('Is required unless you approve.').waitFor();
    await page.getByRole('textbox', { name: 'Note' }).fill('Please clear the cache.');
    // Escape closes the dialog and loses nothing.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await eventually(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe(
      'Please clear the cache.',
    );
    await page.getByRole('button', { name: 'Request changes' }).click();
    await page.getByRole('list', { name: 'Reviewers' }).getByText('requested changes').waitFor();
    await page.getByRole('list', { name: 'Conversation' }).getByText('Please clear the cache.').waitFor();
    await page.getByRole('link', { name: 'Commits' }).click();
    const commits = page.getByRole('list', { name: 'Commits' });
    await commits.getByText('Cache the list').waitFor();
    await expect(rightOf(commits)).resolves.toBe(edge);
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('requested changes', { exact: true }).first().waitFor();

    // Below the header too.
    await page.getByRole('link', { name: /^Files/ }).click();
    const review = page.getByRole('button', { name: 'Review', exact: true });
    await page.getByText('cached(30)').first().waitFor();
    await page.evaluate('scrollTo(0, 900)');
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(200);
    await eventually(async () => (await review.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0);
    await review.click();
    await page.getByText(`You’re reviewing commit ${pullRequest.head.slice(0, 7)}.`).waitFor();

    const { page: ofAuthor } = await newPerson(service.url, { as: acme.member });
    await ofAuthor.goto(`/pull-requests/${pullRequest.id}`);
    await ofAuthor.getByRole('button', { name: 'Review', exact: true }).click();
    await ofAuthor.getByText('someone else has to approve it').waitFor();
    await expect(ofAuthor.getByRole('radio').count()).resolves.toBe(1);
  });
});
