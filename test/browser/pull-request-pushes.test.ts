/** One pull request in the browser while a worker follows it: pushes, live updates, and findings of reviews. */
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { withKey, withSession } from '../helpers/service/harness.ts';
import {
  expectAccessible,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
  untilLoaded,
} from './browser.ts';
import { eventually } from './eventually.ts';
import {
  CACHED_LIST,
  cachedListPullRequest,
  type SamplePullRequest,
  samplePullRequest,
} from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

interface Discussion {
  position: { commit: string } | null;
}

const sample = () => cachedListPullRequest(service);

async function openFiles(pullRequest: SamplePullRequest, options: object = {}): Promise<Page> {
  const { page } = await newPerson(service.url, { as: acme.admin, ...options });
  await page.goto(`/pull-requests/${pullRequest.id}?view=files`);
  await page.getByRole('table', { name: 'Changes in src/list.ts' }).getByText('cached(30)').waitFor();
  return page;
}

const fileOf = (page: Page, path: string) => page.getByRole('region', { name: path });
const listOf = (page: Page) => fileOf(page, 'src/list.ts');
describe('a page that is open', () => {
  it('shows what another person does, and a push without replacing what is being read', async () => {
    const pullRequest = await sample();
    const page = await openFiles(pullRequest);
    // About a line that the push leaves alone, so that it stays open.
    await pullRequest.post(acme.owner, 'discussions', {
      file: 'src/list.ts',
      startLine: 33,
      body: 'Written by a second person.',
    });
    await listOf(page).getByText('Written by a second person.').waitFor();

    const changed = CACHED_LIST.replace('cached(30)', 'cachedForever(30)');
    await pullRequest.repository.commit({ 'src/list.ts': changed }, { branch: 'feature', message: 'Again' });
    await pullRequest.repository.refresh();
    await page.getByText(/New commits were pushed. You’re viewing/).waitFor();
    await expect(listOf(page).getByText('cachedForever').count()).resolves.toBe(0);
    // The name of the file that is being read stays visible.
    const header = fileOf(page, 'src/list.ts').getByText('src/list.ts').first();
    await header.scrollIntoViewIfNeeded();
    await header.click({ trial: true });
    // An approval is about what is on the page, so it is refused.
    const approve = async () => {
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await page.getByRole('radio', { name: 'Approve' }).check();
      await page
        .getByRole('dialog')
        .getByText(/discussions? (is|are) still open/)
        .waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
    };
    await approve();
    await page.getByText(`You’re reviewing commit ${pullRequest.head.slice(0, 7)}. It isn’t`).waitFor();
    await page.getByRole('dialog').getByRole('link', { name: 'View changes' }).click();
    await listOf(page).getByText('cachedForever').waitFor();
    await approve();
    await page.getByRole('list', { name: 'Reviewers' }).getByText('approved').waitFor();
    await expect(page.getByText('before the latest push').count()).resolves.toBe(0);
    await eventually(() => page.getByRole('region').count()).toBeGreaterThan(0);
    await expect(fileOf(page, 'logo.png').count()).resolves.toBe(0);
    // Later the page offers what changed since the last visit.
    const { page: later } = await newPerson(service.url, { as: acme.admin });
    await later.goto(`/pull-requests/${pullRequest.id}`);
    await untilLoaded(later, /Cache the list/);
    await later.getByRole('link', { name: 'Files' }).first().click();
    await listOf(later).getByText('cachedForever').waitFor();
  });

  it('collects comments that only their author sees, on every device, until the review is submitted', async () => {
    const pullRequest = await sample();
    await pullRequest.post(acme.owner, 'discussions', {
      ...{ file: 'src/list.ts', startLine: 31, body: 'Is line 31 next?' },
    });
    const page = await openFiles(pullRequest);
    const other = await openFiles(pullRequest, { as: acme.owner });
    const { page: phone } = await newPerson(service.url, { as: acme.admin, phone: true });
    await phone.goto(`/pull-requests/${pullRequest.id}`);
    await untilLoaded(phone, /Cache the list/);
    // The first starts a review, by keyboard; the second is added to it with the key that sends.
    const write = async (line: number, text: string, key: string) => {
      await listOf(page).locator(`.number[data-side=new][data-number="${line}"]`).click();
      await page.getByLabel(`Comment on line ${line}`).fill(text);
      await page.keyboard.press(key);
      await page.getByRole('article', { name: 'Pending comment' }).getByText(text).waitFor();
    };
    await write(30, 'Cached for how long?', 'Control+Shift+Enter');
    await write(29, 'Why not this one?', 'Control+Enter');
    await page.getByRole('article').getByText('Is line 31 next?').click();
    await page.getByRole('article').locator('[data-action=reply]').click();
    await page.getByRole('textbox', { name: /Reply to/ }).fill('Nothing is next.');
    await page.getByRole('button', { name: 'Add to review' }).click();
    await page.getByRole('button', { name: 'Submit review (3)' }).waitFor();
    // The phone knows without a reload; nobody else does.
    await phone.getByRole('button', { name: 'Submit review (3)' }).tap();
    const inDialog = phone.getByRole('region', { name: 'Pending comments' });
    await inDialog.getByText('Why not this one?').waitFor();
    await expectAccessible(phone, 'the dialog of a review with comments');
    await inDialog.getByRole('listitem').nth(1).getByRole('button', { name: 'Delete' }).tap();
    await phone.getByRole('button', { name: 'Submit review (2)' }).first().waitFor();
    await page.getByRole('button', { name: 'Submit review (2)' }).waitFor();
    await expect(page.getByText('Why not this one?').count()).resolves.toBe(0);
    await page.reload();
    await page.getByRole('article', { name: 'Pending comment' }).getByText('Cached for how').waitFor();
    await expect(other.getByText('Cached for how long?').count()).resolves.toBe(0);
    await expect(other.getByText('Pending').count()).resolves.toBe(0);

    // A push moves the lines, and the review says what it is about.
    const changed = `// Lists\n${CACHED_LIST}`;
    await pullRequest.repository.commit({ 'src/list.ts': changed }, { branch: 'feature', message: 'Again' });
    await pullRequest.repository.refresh();
    await page.getByText(/New commits were pushed. You’re viewing/).waitFor({ timeout: 40_000 });
    await page.getByRole('button', { name: 'Submit review (2)' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`This review is about ${pullRequest.head.slice(0, 7)}`).waitFor();
    await dialog
      .getByRole('link', { name: /list\.ts, line 31/ })
      .first()
      .waitFor();
    await dialog.getByRole('radio', { name: 'Request changes' }).check();
    await dialog.getByRole('button', { name: 'Submit review (2)' }).click();
    await other.getByText('Cached for how long?').waitFor();
    await other.getByText('Nothing is next.').waitFor();
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor();
    await phone.getByRole('button', { name: 'Post review' }).waitFor();
    await phone.getByRole('button', { name: 'Cancel' }).tap();
    await phone.getByRole('button', { name: 'Review', exact: true }).waitFor();
    await other.getByRole('link', { name: 'Activity' }).click();
    await other.getByText('requested changes with 2 comments').waitFor();
  });

  it('says whether it merges after a push to the base, updates the branch, shows both sides of a conflict and resolves it', {
    timeout: 180_000,
  }, async () => {
    const pullRequest = await sample();
    const { page } = await newPerson(service.url, { as: acme.member });
    // Most of what it waits for is found in the background.
    page.setDefaultTimeout(40_000);
    await page.goto(`/pull-requests/${pullRequest.id}`);
    await page.getByText('No conflicts with main').waitFor();
    await pullRequest.repository.commit({ 'elsewhere.ts': '1\n' }, { branch: 'main', message: 'Elsewhere' });
    await pullRequest.repository.refresh();
    // Without an event, an open page asks every half minute.
    await vi.waitFor(
      async () => {
        await page.reload();
        await page.getByText('main has newer commits').waitFor({ timeout: 3000 });
      },
      { timeout: 40_000 },
    );
    const updated = page.waitForResponse((response) => response.url().endsWith('/update-branch'));
    await page.getByRole('button', { name: 'Update branch' }).press('Enter');
    await updated;
    await pullRequest.repository.refresh();
    await page.getByText('main has newer commits').waitFor({ state: 'detached', timeout: 40_000 });
    await page
      .getByRole('list', { name: 'Conversation' })
      .getByText(/updated the branch with main/)
      .waitFor();
    // Their own update is nothing new to them.
    await expect(page.getByText(/New commits (were pushed|since)/).count()).resolves.toBe(0);
    // It made a merge commit.
    await page.getByRole('button', { name: 'Merge…' }).press('Enter');
    const rebase = page.getByRole('radio', { name: 'Rebase The branch contains merge commits' });
    await expect(rebase.isDisabled()).resolves.toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    const onMain = CACHED_LIST.replace('cached(30)', 'memoized(30)');
    await pullRequest.repository.commit({ 'src/list.ts': onMain }, { branch: 'main', message: 'Memoize' });
    await pullRequest.repository.refresh();
    const summary = page.getByText('Conflicts with main in 1 file');
    await summary.waitFor({ timeout: 40_000 });
    await page.locator('summary').filter({ has: summary }).press('Enter');
    await page.locator('summary').filter({ hasText: 'src/list.ts' }).press('Enter');
    await page.getByRole('region', { name: 'main' }).getByText('memoized(30)').waitFor();
    await page.getByText('git merge origin/main').waitFor();
    await page.getByRole('region', { name: 'This branch' }).getByText('cached(30)').waitFor();
    await expectAccessibleAtBothWidths(page, 'a conflict');
    await page.goto('/inbox');
    const item = page.locator(`a[href="/pull-requests/${pullRequest.id}"]`);
    await item.filter({ hasText: 'Merge conflicts in' }).waitFor();

    await page.goto(`/pull-requests/${pullRequest.id}`);
    await page.getByRole('button', { name: 'Resolve conflicts in 1 file' }).press('Enter');
    await page.getByRole('link', { name: 'Resolve conflicts', exact: true }).press('Enter');
    const view = page.getByRole('region', { name: 'Resolve conflicts' });
    await view.getByRole('button', { name: 'Commit merge' }).press('Enter');
    await view.getByText('0 of 1 resolved').waitFor();
    // The focus is at the conflict that is left.
    await page.keyboard.press('Space');
    await view.getByText('1 of 1 resolved').waitFor();
    // Looking at the files meanwhile loses nothing.
    await page.getByRole('link', { name: 'Files' }).first().press('Enter');
    await page.goBack();
    await view.getByText('1 of 1 resolved').waitFor();
    await view.getByRole('radio', { name: 'Edit' }).check();
    const result = view.getByLabel('Result');
    await result.fill((await result.inputValue()).replace('cached(30)', 'cached(memoized(30))'));
    await expectAccessibleAtBothWidths(page, 'resolving conflicts');
    await view.getByRole('button', { name: 'Commit merge' }).press('Enter');
    await view.waitFor({ state: 'detached' });
    await pullRequest.repository.refresh();
    await page.getByText('No conflicts with main').waitFor({ timeout: 40_000 });
    await expect(pullRequest.repository.git('show', 'feature:src/list.ts')).resolves.toContain(
      'cached(memoized(30))',
    );
  });

  it('waits for commits that are being fetched, and keeps what it shows while others are', async () => {
    const pullRequest = await sample();
    const { page } = await newPerson(service.url, { as: acme.admin });
    const notReady = { code: 'repository_not_ready', detail: 'The commits have not been fetched yet.' };
    const refuse = (times?: number) =>
      page.route('**/commits', (route) => route.fulfill({ status: 409, json: notReady }), { times });
    await refuse(1);
    await page.goto(`/pull-requests/${pullRequest.id}?view=commits`);
    await page.getByText('The commits aren’t here yet').waitFor();
    const commits = page.getByRole('list', { name: 'Commits' });
    await commits.waitFor();
    await refuse();
    const refused = page.waitForResponse((response) => response.url().endsWith('/commits'));
    await pullRequest.repository.commit({ 'src/b.ts': 'b\n' }, { branch: 'feature', message: 'Again' });
    await pullRequest.repository.refresh();
    await refused;
    await expect(page.getByText('The commits aren’t here yet').count()).resolves.toBe(0);
    await expect(commits.count()).resolves.toBe(1);
  });
});

describe('after a push', () => {
  it('discussions keep their place until the new one is known, and name the line that their code shows', async () => {
    const pullRequest = await sample();
    const lines = [30, 50];
    for (const startLine of lines)
      await pullRequest.post(acme.owner, 'discussions', {
        file: 'src/list.ts',
        startLine,
        body: `About line ${startLine}.`,
      });
    let above = '';
    const push = async () => {
      above += '// another\n';
      const files = { 'src/list.ts': above + CACHED_LIST };
      const commit = await pullRequest.repository.commit(files, { branch: 'feature' });
      await pullRequest.repository.refresh();
      return commit;
    };
    const placesAt = async (commit: string) => {
      const path = `/api/v2/pull-requests/${pullRequest.id}/discussions`;
      const { body } = await service.request('GET', path, { as: withSession(acme.viewer) });
      return body.discussions.filter((each: Discussion) => each.position?.commit === commit).length;
    };
    const second = await push();
    await eventually(() => placesAt(second)).toBe(2);

    const page = await openFiles(pullRequest);
    // Everything is near the viewport.
    await page.setViewportSize({ width: 1280, height: 2400 });
    /** The numbers of the lines that the discussions are below. */
    const linesAbove = () =>
      page.evaluate(`${JSON.stringify(lines)}.map((line) => {
        const cards = [...document.querySelectorAll('.diff article')];
        const card = cards.find(({ textContent }) => textContent.includes('About line ' + line + '.'));
        const row = card?.closest('[data-index]');
        const above = document.querySelector('[data-index="' + (row?.dataset.index - 1) + '"]');
        return above?.querySelector('.number[data-side=new]')?.dataset.number ?? 'no line';
      })`);
    await eventually(linesAbove).toEqual(['31', '51']);

    // The places at the third head are not known for as long as the test wants.
    let third = '';
    let isKnown = false;
    await page.route('**/discussions', async (route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as { discussions: Discussion[] };
      for (const each of body.discussions)
        if (each.position?.commit !== second && !isKnown) each.position = null;
      await route.fulfill({ response: reply, json: body });
    });
    const asked = page.waitForResponse((response) => response.url().endsWith('/discussions'), {
      timeout: 60_000,
    });
    third = await push();
    await asked;
    await page.getByText(/New commits were pushed. You’re viewing/).waitFor();
    await eventually(linesAbove).toEqual(['31', '51']);
    await eventually(() => placesAt(third)).toBe(2);
    await page.getByRole('button', { name: 'Show latest' }).click();
    await listOf(page).locator('.number[data-side=new][data-number="3"]').waitFor();
    await eventually(linesAbove).toEqual(['31', '51']);
    isKnown = true;
    await eventually(linesAbove).toEqual(['32', '52']);

    await page.getByRole('link', { name: 'Conversation' }).click();
    for (const line of lines) {
      const card = page.getByRole('article').filter({ hasText: `About line ${line}.` });
      await card.getByText(`Line ${line + 2}`, { exact: true }).waitFor();
      const numbers = card.getByRole('figure').locator('[data-number]');
      await expect(numbers.count()).resolves.toBe(1);
      await expect(numbers.getAttribute('data-number')).resolves.toBe(String(line + 2));
    }
  });
});

describe('what a push changed', () => {
  it('is why a discussion is addressed, and is offered to those who looked before', async () => {
    const pullRequest = await sample();
    const page = await openFiles(pullRequest);
    await page.waitForLoadState('networkidle');
    const suggestion = 'const line30 = cachedForever(30);';
    const body = `Never read it again.\n\n\`\`\`suggestion\n${suggestion}\n\`\`\``;
    await pullRequest.post(acme.owner, 'discussions', { file: 'src/list.ts', startLine: 30, body });
    const unsure = await pullRequest.post(acme.owner, 'discussions', {
      file: 'src/deep/er/other.ts',
      startLine: 6,
      body: 'Is this needed?',
    });
    await page.goto('/');
    const changed = CACHED_LIST.replace('const line30 = cached(30);', suggestion);
    const commit = await pullRequest.repository.commit({ 'src/list.ts': changed }, { branch: 'feature' });
    await pullRequest.repository.refresh();
    const judgedHead = () =>
      service.db
        .selectFrom('pull_requests')
        .select('judged_head')
        .where('id', '=', pullRequest.id)
        .executeTakeFirstOrThrow();
    await eventually(async () => (await judgedHead()).judged_head).toBe(commit);
    const judgement = {
      ...{ verdict: 'maybe', confidence: 0.5, reason: 'The line changed.', commit },
      hunks: [],
    };
    await service.db
      .updateTable('discussions')
      .set({ judgement: JSON.stringify(judgement) })
      .where('id', '=', String(unsure.id))
      .execute();

    await page.goto(`/pull-requests/${pullRequest.id}`);
    const addressed = page.getByRole('article').filter({ hasText: 'Never read it again' });
    await addressed.getByRole('button', { name: 'Show discussion' }).click();
    await addressed.getByText(`Addressed in ${commit.slice(0, 7)}`).waitFor();
    await page.getByText('New commits since your last visit').waitFor();
    await page.getByRole('button', { name: 'View changes' }).click();
    await listOf(page).getByText('cachedForever').first().waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(pullRequest.head);
    await expect(fileOf(page, 'logo.png').count()).resolves.toBe(0);

    // The hunk that answered it is shown in its push.
    await page.goto(`/pull-requests/${pullRequest.id}?discussion=${unsure.id}`);
    await page.getByText('Possibly addressed').first().waitFor();
    await page.getByRole('article').filter({ hasText: 'Is this needed?' }).focus();
    await page.keyboard.press('y');
    await page.getByText('Discussion resolved.').first().waitFor();
    await page.keyboard.press('n');
    await page.getByText('No open discussions.').first().waitFor();
    await addressed.getByRole('button', { name: 'Show discussion' }).click();
    await addressed.getByRole('button', { name: /^src\/list\.ts:/ }).click();
    await listOf(page).getByText('cachedForever').first().waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe(commit);
  });
});

it('a review that finds nothing says so, with what it looked at', async () => {
  const { id } = await samplePullRequest(service, {
    title: 'Say hello',
    before: { 'hello.txt': 'hi\n', 'name.txt': 'Ada\n' },
    after: { 'hello.txt': 'hello\n', 'name.txt': 'Grace\n' },
  });
  const { page } = await newPerson(service.url, { as: acme.viewer });
  await page.goto(`/pull-requests/${id}`);
  await page.getByText('Automatic review: no problems found in 2 files.').waitFor({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('button', { name: /^No problems found in 2 files/ }).waitFor();
});

describe('a finding of a review', () => {
  it('is dismissed with a reason, together with those that the dialog names', async () => {
    const focused = (name: string) => `it.only('${name}', () => {});\n`;
    const { base, id, repository } = await samplePullRequest(service, {
      title: 'Test a file',
      before: { 'src/a.ts': 'a\n', 'gone.txt': 'gone\n' },
      after: { 'src/a.test.ts': focused('a'), 'gone.txt': null, theme: { submodule: '1'.repeat(40) } },
    });
    await repository.commit(
      { 'src/b.test.ts': focused('b'), 'src/b.ts': 'export function untested() {}\n' },
      { branch: 'other', from: base },
    );
    await repository.refresh();
    const other = await service.request('POST', '/api/v2/pull-requests', {
      as: withSession(acme.member),
      body: { repository: repository.fullName, head: 'other', title: 'Test another file' },
    });
    const { page } = await newPerson(service.url, { as: acme.admin });
    const finding = page.getByRole('article').filter({ hasText: 'Focused test' });
    for (const pullRequestId of [other.body.id, id]) {
      await page.goto(`/pull-requests/${pullRequestId}`);
      await finding.waitFor({ timeout: 30_000 });
    }
    await page.getByText('Automatic review: 1 finding.').waitFor();
    await finding.getByRole('button', { name: 'Dismiss…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss this finding' });
    await dialog.getByText('The check looks for focused tests (.only) that skip the rest.').waitFor();
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await dialog.getByText('Choose a reason.').waitFor();
    await dialog.getByRole('radio', { name: 'This is intended' }).check();
    await expect(dialog.getByText('Also dismisses').count()).resolves.toBe(0);
    await dialog.getByRole('radio', { name: 'All findings of this check in this repository' }).check();
    await dialog.getByText('Also dismisses this open finding:').waitFor();
    await dialog.getByText('#2, src/b.test.ts:1').waitFor();
    await expectAccessible(page, 'the dismiss dialog');
    await dialog.getByLabel('Note').fill('While we debug.');
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Finding dismissed').first().waitFor();
    await finding.getByText('Dismissed', { exact: true }).waitFor();
    await page.goto(`/pull-requests/${other.body.id}`);
    await finding.getByText('Dismissed', { exact: true }).waitFor();
    await page.goto(`/pull-requests/${other.body.id}?view=reviews`);
    await finding.getByText('Dismissed', { exact: true }).waitFor();
    await page.getByText('Changed exports that no test mentions: 1').click();
    await page.getByText('untested', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'src/b.ts:1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'src/b.test.ts:1', exact: true }).click();
    await page.waitForURL(/\/repositories\/[^/]+\?ref=[0-9a-f]{40}&path=src%2Fb\.test\.ts#L1$/);

    const { body } = await service.request('GET', '/api/v2/reviewer/reviewers', { as: withKey(acme.viewer) });
    const { id: reviewerId } = body.reviewers.find(
      (each: { title: string }) => each.title === 'Tests Missing',
    );
    await page.goto(`/reviewers/${reviewerId}`);
    const latest = page.getByRole('listitem').filter({ hasText: 'src/b.test.ts:1' }).last();
    await latest.getByText('Dismissed', { exact: true }).waitFor();
    await latest.getByRole('link', { name: /^Focused test/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Test another file' }).waitFor();
    await page.getByRole('article').filter({ hasText: 'Focused test' }).waitFor();

    await page.goto(`/pull-requests/${id}?view=files`);
    await fileOf(page, 'theme').getByText('it takes no comments').waitFor();
    await expect(fileOf(page, 'theme').getByLabel('Comment on the file').count()).resolves.toBe(0);
    const deleted = fileOf(page, 'gone.txt');
    await deleted.getByLabel('Comment on the file').click();
    await deleted.getByRole('textbox').fill('Is it not used?');
    await page.keyboard.press('Control+Enter');
    await deleted.getByRole('article').getByText('Is it not used?').waitFor();
  });
});
