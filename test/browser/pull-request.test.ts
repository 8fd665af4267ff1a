/** One pull request in the browser: its difference, discussions between the lines, pushes, and live updates. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { postPlan } from '../helpers/rows/plans.ts';
import { withKey, withSession } from '../helpers/service/harness.ts';
import {
  expectAccessible,
  expectAccessibleAtBothWidths,
  startBrowser,
  startServiceWithPages,
  untilLoaded,
} from './browser.ts';
import { eventually } from './eventually.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';
import { type SamplePullRequest, samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

const numbered = (
  count: number,
  change: (line: number) => string = (line) => `const line${line} = ${line};`,
) => `${Array.from({ length: count }, (_, index) => change(index + 1)).join('\n')}\n`;
const BEFORE = {
  'src/list.ts': numbered(60),
  'src/deep/er/other.ts': numbered(5),
  'old-name.txt': numbered(12),
  'logo.png': '\u0000one',
  'package-lock.json': '{}\n',
};
const AFTER = {
  'src/list.ts': numbered(60, (line) =>
    line === 30 ? 'const line30 = cached(30);' : `const line${line} = ${line};`,
  ),
  'src/deep/er/other.ts': numbered(7),
  'old-name.txt': null,
  'new-name.txt': numbered(12),
  'logo.png': '\u0000two',
  'package-lock.json': '{"a": 1}\n',
};

interface Discussion {
  position: { commit: string } | null;
}

const sample = () => samplePullRequest(service, { title: 'Cache the list', before: BEFORE, after: AFTER });

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
    await page.getByRole('menuitemradio', { name: 'Two columns' }).click();
    const both = listOf(page).getByRole('row').filter({ hasText: 'cached' });
    await expect(both.innerText()).resolves.toMatch(/line30 = 30;[\s\S]*line30 = cached/);

    await listOf(page).getByRole('button', { name: 'Show 26 unchanged lines' }).click();
    await listOf(page).getByText('const line1 = 1;').first().waitFor();
    await expectAccessible(page, 'the files of a pull request');

    await listOf(page).getByLabel('Viewed').check();
    await eventually(() => listOf(page).getByRole('table').count()).toBe(0);
    await page.reload();
    await eventually(() => listOf(page).getByLabel('Viewed').isChecked()).toBe(true);
  });

  it('asks once for what the page was told to load early', async () => {
    const pullRequest = await sample();
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
    await expectAccessibleAtBothWidths(page, 'discussions between the lines');
  });

  it('shows what another person does, and a push without replacing what is being read', async () => {
    const pullRequest = await sample();
    const page = await openFiles(pullRequest);
    await pullRequest.post(acme.owner, 'discussions', {
      file: 'src/list.ts',
      startLine: 30,
      body: 'Written by a second person.',
    });
    await listOf(page).getByText('Written by a second person.').waitFor();

    const changed = AFTER['src/list.ts'].replace('cached(30)', 'cachedForever(30)');
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

  it('is harmless with hostile names and text, on a phone too', async () => {
    const name = '<img src=x onerror="globalThis.pwned=1">\u202Egnp.ts';
    const pullRequest = await samplePullRequest(service, {
      title: HOSTILE_TEXTS[0]!,
      description: HOSTILE_TEXTS.join('\n\n'),
      before: { 'a.ts': 'a\n' },
      after: { [name]: `${HOSTILE_TEXTS.join('\n')}\n`, 'a.ts': `${'W'.repeat(5000)}\n` },
    });
    for (const text of HOSTILE_TEXTS)
      await pullRequest.post(acme.owner, 'discussions', { file: name, startLine: 1, body: text });
    const { page } = await newPerson(service.url, { as: acme.viewer, phone: true });
    const views = page.getByRole('navigation', { name: 'Pull request views' });
    for (const view of ['', '?view=files', '?view=commits', '?view=activity']) {
      await page.goto(`/pull-requests/${pullRequest.id}${view}`);
      await untilLoaded(page, /img src/);
      const fades = view === '?view=activity' ? 'mask-l-' : 'mask-r-';
      await eventually(() => views.getAttribute('class'), 'there are more tabs').toContain(fades);
      if (view === '?view=files') await page.locator('.diff-line').first().waitFor();
      await expectHarmless(page, `the pull request ${view}`);
    }
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
      const files = { 'src/list.ts': above + AFTER['src/list.ts'] };
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
    await page.getByRole('button', { name: 'Show the newest' }).click();
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
    const changed = AFTER['src/list.ts'].replace('const line30 = cached(30);', suggestion);
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
    await page.getByText('New commits since you last looked').waitFor();
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

describe('beside and instead of the difference', () => {
  it('is the plan with the files that it names, or a note that the commits are missing', async () => {
    const pullRequest = await sample();
    const content = '# Cache lists\n\nChange `src/list.ts` and `src/missing.ts`.';
    const plan = await postPlan(service, acme.member, { content });
    await service.request('POST', `/api/v2/plans/${plan.body.seriesId}/pull-requests`, {
      as: withKey(acme.member),
      body: { prNumber: 1, repoId: pullRequest.repository.id },
    });
    const page = await openFiles(pullRequest);
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Plan: Cache lists' });
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
    await finding.getByRole('button', { name: 'Dismiss…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dismiss this finding' });
    await dialog.getByText('The check looks for focused tests, which switch all others off.').waitFor();
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
    await expectAccessible(page, 'a review');
    await page.getByRole('link', { name: 'src/b.test.ts:1', exact: true }).click();
    await page.waitForURL(/\/repositories\/[^/]+\?ref=[0-9a-f]{40}&path=src%2Fb\.test\.ts#L1$/);

    const { body } = await service.request('GET', '/api/v2/reviewer/reviewers', { as: withKey(acme.viewer) });
    const { id: reviewerId } = body.reviewers.find(
      (each: { title: string }) => each.title === 'Tests Missing',
    );
    await page.goto(`/reviewers/${reviewerId}`);
    const latest = page.getByRole('listitem').filter({ hasText: 'src/b.test.ts:1' }).last();
    await latest.getByText('Dismissed', { exact: true }).waitFor();
    await expectAccessible(page, 'a reviewer with discussions');
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
    await expectAccessible(page, 'the review dialog');
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

    const { page: ofAuthor } = await newPerson(service.url, { as: acme.member });
    await ofAuthor.goto(`/pull-requests/${pullRequest.id}`);
    await ofAuthor.getByRole('button', { name: 'Review', exact: true }).click();
    await ofAuthor.getByText('someone else has to approve it').waitFor();
    await expect(ofAuthor.getByRole('radio').count()).resolves.toBe(1);
  });
});
