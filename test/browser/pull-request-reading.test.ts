/** Reading a pull request in the browser: commit by commit, by keys, with room for the code, and at addresses that last. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../helpers/rows/code.ts';
import { withSession } from '../helpers/service/harness.ts';
import { expectAccessibleAtBothWidths, startBrowser, startServiceWithPages } from './browser.ts';
import { eventually } from './eventually.ts';
import { type SamplePullRequest, samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED, { worker: true });
const { newPerson } = await startBrowser();
const { acme } = service;

const lines = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => `${change[at + 1] ?? `const line${at + 1} = ${at + 1};`}\n`).join(
    '',
  );

/** Three commits, each of which changes lines of the list. */
async function threeCommits(): Promise<SamplePullRequest & { commits: [string, string, string] }> {
  const before = { 'src/list.ts': lines(120), 'src/other.ts': lines(5), 'z.ts': lines(3) };
  const sample = await samplePullRequest(service, {
    title: 'Cache the list',
    before,
    after: { 'src/list.ts': lines(120, { 30: 'const line30 = cached(30);' }) },
  });
  const commit = (files: Record<string, string>, message: string) =>
    sample.repository.commit(files, { branch: 'feature', message });
  const second = await commit({ 'src/other.ts': lines(6) }, 'Add a line\n\nBecause it was missing.');
  const above = `// The list.\n${lines(120, { 30: 'const line30 = cached(30);' })}`;
  const third = await commit({ 'src/list.ts': above, 'z.ts': lines(4) }, 'Say what it is');
  await sample.repository.refresh();
  await eventually(async () => (await read(sample.id)).heads.length).toBe(2);
  return { ...sample, commits: [sample.head, second, third] };
}

async function read(id: string) {
  return (await service.request('GET', `/api/v2/pull-requests/${id}`, { as: withSession(acme.viewer) })).body;
}

const fileOf = (page: Page, path: string) => page.getByRole('region', { name: path });
const numberOf = (page: Page, path: string, line: number) =>
  fileOf(page, path).locator(`.number[data-side=new][data-number="${line}"]`);
/** The line that a card is below. */
const lineAbove = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const card = [...document.querySelectorAll('.diff article')].find(({ textContent }) => textContent.includes(${JSON.stringify(text)}));
    const row = card?.closest('[data-index]');
    const above = document.querySelector('[data-index="' + (row?.dataset.index - 1) + '"]');
    return above?.querySelector('.number[data-side=new]')?.dataset.number ?? 'no line';
  })()`);

/** The page may still move the line, and symbols are read when they are asked for. */
async function restOn(page: Page, text: Locator, name: string): Promise<Locator> {
  await text.waitFor();
  const card = page.getByRole('dialog', { name: `Definition of ${name}` });
  for (let attempt = 0; attempt < 12 && !(await card.isVisible()); attempt += 1) {
    const { x, y } = (await text.boundingBox())!;
    await page.mouse.move(x + 10 + (attempt % 2), y + 10);
    await card.waitFor({ timeout: 4000 }).catch(() => undefined);
  }
  return card;
}

describe('names in the changes', () => {
  it('show their definition at the head, and those of removed lines at the base', async () => {
    const { base, head, id } = await samplePullRequest(service, {
      title: 'Rename the price',
      before: {
        'src/price.ts': '// In cents.\nexport function oldPrice() {}\n',
        'src/cart.ts': "import { oldPrice } from './price.ts';\noldPrice();\n",
      },
      after: {
        'src/price.ts': '// In cents, without taxes.\nexport function newPrice() {}\n',
        'src/cart.ts': "import { newPrice } from './price.ts';\nnewPrice();\n",
      },
    });
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto(`/pull-requests/${id}?view=files`);
    const cart = fileOf(page, 'src/cart.ts');
    for (const [name, kind, comment] of [
      ['newPrice', 'added', 'In cents, without taxes.'],
      ['oldPrice', 'removed', 'In cents.'],
    ] as const) {
      const text = cart.locator(`.text[data-kind=${kind}]`, { hasText: `${name}();` });
      const card = await restOn(page, text, name);
      await card.getByText(comment, { exact: true }).waitFor({ timeout: 10_000 });
      const [above, below] = [(await card.boundingBox())!, (await text.boundingBox())!];
      expect(below.y - above.y - above.height).toBeLessThan(20);
      const link = await card.getByRole('link', { name: 'src/price.ts:2' }).getAttribute('href');
      expect(link).toContain(kind === 'added' ? head : base);
      await page.mouse.move(0, 0);
      await card.waitFor({ state: 'detached' });
    }
    await restOn(page, cart.locator('.text[data-kind=added]', { hasText: 'newPrice();' }), 'newPrice');
    await page.mouse.down();
    await page.mouse.up();
    await eventually(() => new URL(page.url()).searchParams.get('path')).toBe('src/price.ts');
    await page.goBack();
    await cart.waitFor();
  });
});

describe('commit by commit', () => {
  it('shows the changes of each, and a comment there is at its line in the newest head', async () => {
    const { id } = await threeCommits();
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto(`/pull-requests/${id}?view=commits`);
    await page.getByRole('link', { name: 'Cache the list' }).click();
    await fileOf(page, 'src/list.ts').getByText('cached(30)').waitFor();
    await page.getByText('Commit 1 of 3').waitFor();
    await expect(fileOf(page, 'z.ts').count()).resolves.toBe(0);
    await expect(page.getByLabel('Viewed').count()).resolves.toBe(0);
    await numberOf(page, 'src/list.ts', 30).click();
    await page.getByLabel('Comment on line 30').fill('Why cached?');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').getByText('Why cached?').waitFor();
    await expect(lineAbove(page, 'Why cached?')).resolves.toBe('30');

    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press(']');
    await page.getByText('Commit 2 of 3').waitFor();
    await page.getByRole('region', { name: 'Commit message' }).getByText('Because it was missing.').waitFor();
    await fileOf(page, 'src/other.ts').waitFor();
    // It is about another commit.
    await expect(page.getByRole('article').count()).resolves.toBe(0);
    await page.getByRole('button', { name: 'Next commit' }).click();
    await page.getByText('Commit 3 of 3').waitFor();
    await page.keyboard.press(']');
    await page.getByText('This is the last commit.').first().waitFor();
    await page.keyboard.press('[');
    await page.getByText('Commit 2 of 3').waitFor();
    await expectAccessibleAtBothWidths(page, 'one commit');

    await page.getByRole('button', { name: 'All changes' }).click();
    await eventually(() => lineAbove(page, 'Why cached?')).toBe('31');
  });
});

describe('after a force-push', () => {
  it('offers all changes and what became of each commit; the old head stays readable with its discussion', async () => {
    const { base, commits, id, repository } = await threeCommits();
    const { page } = await newPerson(service.url, { as: acme.admin });
    const open = (as: typeof acme.admin, path: string, body: object) =>
      service.request('POST', `/api/v2/pull-requests/${id}/${path}`, { as: withSession(as), body });
    const place = { file: 'z.ts', startLine: 4, body: 'Is line 4 needed?' };
    expect((await open(acme.owner, 'discussions', place)).status).toBe(201);
    const review = { verdict: 'changes_requested', note: 'Please.', commit: commits[2] };
    expect((await open(acme.admin, 'reviews', review)).status).toBe(200);

    const list = { 'src/list.ts': lines(120, { 30: 'const line30 = memoized(30);' }) };
    await repository.commit(list, { branch: 'feature', from: base, message: 'Cache the list' });
    const pushed = await repository.commit(
      { 'src/other.ts': lines(6) },
      { branch: 'feature', message: 'Add a line\n\nBecause it was missing.' },
    );
    await repository.refresh();
    await eventually(async () => (await read(id)).headCommit).toBe(pushed);
    await page.goto(`/pull-requests/${id}`);
    await page.getByText('The branch was force-pushed since your review').waitFor();
    await page.getByRole('button', { name: 'View all changes' }).waitFor();
    await page.getByRole('button', { name: 'Compare commits' }).click();
    const compared = page.getByRole('region', { name: 'Compared commits' });
    const changed = compared.getByRole('listitem').filter({ hasText: 'Cache the list' });
    await changed.getByText('Changed', { exact: true }).waitFor();
    await compared.getByRole('listitem').filter({ hasText: 'Say what it is' }).getByText('Removed').waitFor();
    await compared.getByRole('listitem').filter({ hasText: 'Add a line' }).getByText('Unchanged').waitFor();
    await changed.locator('summary').press('Enter');
    await changed.getByText('++const line30 = memoized(30);').waitFor();
    await expectAccessibleAtBothWidths(page, 'compared commits');

    const judged = service.db.selectFrom('pull_requests').select('judged_head').where('id', '=', id);
    await eventually(async () => (await judged.executeTakeFirst())?.judged_head).toBe(pushed);
    await page.goto(`/pull-requests/${id}?view=files&to=${commits[2]}&path=z.ts`);
    await fileOf(page, 'z.ts').getByText('Is line 4 needed?').waitFor();
    await expect(lineAbove(page, 'Is line 4 needed?')).resolves.toBe('4');
    await page.getByRole('link', { name: 'Conversation' }).click();
    const card = page.getByRole('article').filter({ hasText: 'Is line 4 needed?' });
    await card.waitFor();
    // It is folded if the removed line counts as an answer.
    const folded = card.getByRole('button', { name: 'Show discussion' });
    if ((await folded.count()) > 0) await folded.click();
    await card.getByRole('figure').getByText('const line4 = 4;').waitFor();
  });
});

describe('files without lines', () => {
  it('are shown: images side by side, targets of links, modes, commits of submodules, and sizes', async () => {
    const image = (color: string) =>
      Buffer.from(
        color === 'red'
          ? 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
          : 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      );
    const library = await addRepository(service, { 'a.txt': '1\n' });
    const [first, second] = [
      await library.git('rev-parse', 'main'),
      await library.commit({ 'a.txt': '2\n' }, { message: 'Say two' }),
    ];
    await library.refresh();
    const { id } = await samplePullRequest(service, {
      title: 'Change what has no lines',
      before: {
        '.gitmodules': `[submodule "lib"]\n\tpath = lib\n\turl = ${library.folder}\n`,
        'data.bin': Buffer.from([0, 1]),
        link: { symlink: 'one' },
        'logo.png': image('red'),
        'run.sh': 'echo\n',
        lib: { submodule: first },
      },
      after: {
        'data.bin': Buffer.from([0, 1, 2, 3]),
        link: { symlink: 'two' },
        'logo.png': image('other'),
        'run.sh': { executable: 'echo\n' },
        lib: { submodule: second },
      },
    });
    const { page } = await newPerson(service.url, { as: acme.viewer });
    await page.goto(`/pull-requests/${id}?view=files`);
    await fileOf(page, 'data.bin').getByText('Binary file, 2 bytes → 4 bytes').waitFor();
    await fileOf(page, 'link').getByText('two', { exact: true }).waitFor();
    await fileOf(page, 'link').getByText('one', { exact: true }).waitFor();
    await fileOf(page, 'lib').getByText('Say two').waitFor();
    await fileOf(page, 'lib')
      .getByRole('link', { name: second.slice(0, 7) })
      .waitFor();
    const images = fileOf(page, 'logo.png').getByRole('figure');
    await eventually(() => images.allInnerTexts()).toEqual([
      expect.stringMatching(/^\s*Before\s+1 × 1\s+70 bytes$/),
      expect.stringMatching(/^\s*After\s+1 × 1\s+70 bytes$/),
    ]);
    await fileOf(page, 'run.sh').getByText('now executable').waitFor();
    await expectAccessibleAtBothWidths(page, 'files without lines');
  });
});

describe('an address of lines', () => {
  it('is copied with one key, and opens at these lines at that commit, also after a push', async () => {
    const { commits, id, repository } = await threeCommits();
    const { context, page } = await newPerson(service.url, { as: acme.viewer });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async () => new URL(String(await page.evaluate('navigator.clipboard.readText()')));
    await page.goto(`/pull-requests/${id}?view=files`);
    await fileOf(page, 'src/list.ts').getByText('cached(30)').waitFor();
    await fileOf(page, 'src/list.ts')
      .getByRole('button', { name: 'Show 20 more lines below' })
      .last()
      .click();
    await numberOf(page, 'src/list.ts', 45).click();
    await numberOf(page, 'src/list.ts', 47).click({ modifiers: ['Shift'] });
    await page.keyboard.press('l');
    await page.getByText('Link to the lines copied.').first().waitFor();
    const ofLines = await copied();
    expect(Object.fromEntries(ofLines.searchParams)).toEqual({
      ...{ view: 'files', to: commits[2], path: 'src/list.ts', lines: 'R45-47' },
    });
    await page.getByRole('navigation', { name: 'Changed files' }).getByTitle('z.ts').click();
    await fileOf(page, 'z.ts').getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link to the file copied.').first().waitFor();
    const ofFile = await copied();

    const pushed = await repository.commit(
      { 'src/list.ts': `// 1\n// 2\n${lines(120)}` },
      { branch: 'feature', message: 'Again' },
    );
    await repository.refresh();
    await eventually(async () => (await read(id)).headCommit).toBe(pushed);
    for (let visit = 0; visit < 2; visit += 1) {
      await page.goto(ofLines.pathname + ofLines.search);
      const chosen = fileOf(page, 'src/list.ts').locator('.text[data-chosen]');
      await eventually(() => chosen.allInnerTexts()).toEqual(
        [44, 45, 46].map((line) => `const line${line} = ${line};`),
      );
      await eventually(async () => {
        const { y = 0 } = (await chosen.first().boundingBox()) ?? {};
        return y > 100 && y < 700;
      }).toBe(true);
    }
    await page.goto(ofFile.pathname + ofFile.search);
    await eventually(async () => Math.round((await fileOf(page, 'z.ts').boundingBox())?.y ?? 0)).toBe(48);
  });
});

describe('room', () => {
  it('for 80 letters a side at 1440 pixels, and what was collapsed stays so for this person', async () => {
    const { id } = await threeCommits();
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/pull-requests/${id}?view=files`);
    const tree = page.getByRole('navigation', { name: 'Changed files' });
    const main = page.getByRole('navigation', { name: 'Main' });
    await tree.waitFor();
    const navigationWidth = async () => (await main.boundingBox())!.width;
    expect(await navigationWidth()).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('menuitemradio', { name: 'Split' }).click();
    await tree.waitFor({ state: 'detached' });
    await eventually(navigationWidth).toBeLessThan(60);
    const letters = () =>
      page.evaluate(`(() => {
        const text = document.querySelector('.diff-line .text');
        const sample = document.createElement('span');
        sample.style.position = 'absolute';
        sample.textContent = 'm'.repeat(100);
        text.append(sample);
        const letter = sample.getBoundingClientRect().width / 100;
        sample.remove();
        const room = text.getBoundingClientRect().width - parseFloat(getComputedStyle(text).paddingRight);
        return Math.floor(room / letter);
      })()`);
    await eventually(letters).toBeGreaterThanOrEqual(80);
    await page.getByRole('button', { name: 'View options' }).click();
    await page.getByRole('menuitemradio', { name: 'Split', checked: true }).press('Escape');

    await page.getByRole('button', { name: 'Expand navigation' }).click();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('f');
    await tree.waitFor();
    await page.reload();
    await tree.waitFor();
    expect(await navigationWidth()).toBeGreaterThan(150);
    await page.getByRole('button', { name: 'Sidebar' }).click();
    await tree.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Collapse navigation' }).click();
    await page.goto('/plans');
    await eventually(navigationWidth).toBeLessThan(60);
    await expectAccessibleAtBothWidths(page, 'collapsed navigation');
  });
});

describe('keys for files', () => {
  it('go from file to file and mark them as viewed; a line shows that it takes comments', async () => {
    const { id } = await threeCommits();
    const { page } = await newPerson(service.url, { as: acme.admin });
    await page.goto(`/pull-requests/${id}?view=files`);
    await fileOf(page, 'src/list.ts').getByText('cached(30)').waitFor();
    const topOf = async (path: string) => Math.round((await fileOf(page, path).boundingBox())?.y ?? 0);
    const focusedFile = () => page.evaluate("document.activeElement.closest('section')?.dataset.path");
    await page.keyboard.press('j');
    await eventually(() => topOf('src/list.ts')).toBe(48);
    await page.keyboard.press('j');
    await eventually(() => topOf('src/other.ts')).toBe(48);
    await eventually(focusedFile).toBe('src/other.ts');
    await page.keyboard.press('k');
    await eventually(() => topOf('src/list.ts')).toBe(48);
    await page.keyboard.press('v');
    await eventually(() => fileOf(page, 'src/list.ts').getByLabel('Viewed').isChecked()).toBe(true);
    await eventually(() => topOf('src/other.ts')).toBe(48);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.getByText('This is the last file.').first().waitFor();
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const meaning of ['Next file', 'Mark the file as viewed, and go to the next', 'Next commit'])
      await help.getByText(meaning, { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    /** The sign in front of a line's number. */
    const plus = (where: Page, number: string) =>
      where.evaluate(`(() => {
        const found = document.querySelector('[data-path="src/other.ts"] .number' + ${JSON.stringify(number)});
        const { content, display } = getComputedStyle(found, '::after');
        return display === 'none' ? '' : content.slice(1, 2);
      })()`);
    const sixth = '[data-side=new][data-number="6"]';
    expect(await plus(page, sixth)).toBe('');
    await fileOf(page, 'src/other.ts').getByText('line6').hover();
    await eventually(() => plus(page, sixth)).toBe('+');
    await page.mouse.move(0, 0);
    await fileOf(page, 'src/other.ts')
      .getByRole('button', { name: /^New line/ })
      .focus();
    await page.keyboard.press('ArrowDown');
    await eventually(() => plus(page, ':has(button:focus)')).toBe('+');
    const { page: reader } = await newPerson(service.url, { as: acme.viewer });
    await reader.goto(`/pull-requests/${id}?view=files`);
    await fileOf(reader, 'src/other.ts').getByText('line6').hover();
    expect(await plus(reader, sixth)).toBe('');
  });
});
