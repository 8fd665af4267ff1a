/** Repository → Search: lines by text or regular expression and files by name, with addresses that hold the whole query. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { makeRepository } from '../helpers/git/git-fixtures.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { startBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { HOSTILE_TEXTS } from './harmless.ts';
import { addRepository, LOCAL_ALLOWED } from './sample-repository.ts';

const [IMAGE] = HOSTILE_TEXTS as [string];
const ORDERS = Array.from({ length: 30 }, (_, at) =>
  at === 3 || at === 25 ? `order(${at})` : `other ${at}`,
);

const repository = await makeRepository(
  [
    ['src/orders.ts', `${ORDERS.join('\n')}\n`],
    ['src/Order.test.ts', 'const ORDER = 1;\n'],
    ['docs/orders.md', 'An order is a promise.\n'],
    [`odd/${IMAGE.replaceAll('/', '')}`, `order ${HOSTILE_TEXTS.join(' ')}\n`],
    ['odd/turned \u202Egpj.exe', `order \u202E${'W'.repeat(10_000)}\n`],
    ['many.txt', 'again and again\n'.repeat(700)],
  ],
  { name: 'acme/shop.git' },
);
afterAll(() => repository.remove());
const head = await repository.git('rev-parse', 'main');
await repository.commit({ 'src/orders.ts': 'nothing here\n' }, { branch: 'rewrite' });

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: LOCAL_ALLOWED,
});
const { newPerson } = await startBrowser();
const { member } = service.acme;
const id = await addRepository(service, service.acme.admin, { url: repository.folder, name: 'acme/shop' });
const address = (query = '') => `/repositories/${id}/search${query}`;

const field = (page: Page) => page.getByRole('searchbox', { name: 'Search code' });
const found = (page: Page) => page.getByText(/matching lines? in/);
const regexSwitch = (page: Page) => page.getByRole('button', { name: 'Use regular expression' });
const paths = (page: Page) => page.getByRole('heading', { level: 2 }).getByRole('link').allInnerTexts();

describe('lines of code', () => {
  it('are shown with context and marked matches, and link to the line at this commit', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(`/repositories/${id}`);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByText('Finds literal text').waitFor();
    await regexSwitch(page).click();
    await field(page).fill('order\\(\\d+\\)');
    await page.keyboard.press('Enter');
    await found(page).waitFor();
    await expect(found(page).innerText()).resolves.toContain('2 matching lines in 1 file');
    await expect(page.locator('mark').allInnerTexts()).resolves.toEqual(['order(3)', 'order(25)']);
    await expect(
      page.evaluate(`[...document.querySelectorAll('.line')].map((line) => line.dataset.line).join(' ')`),
    ).resolves.toBe('2 3 4 5 6 24 25 26 27 28');
    const other = await newPerson(service.url, { as: service.acme.viewer });
    await other.page.goto(page.url());
    await other.page.locator('mark', { hasText: 'order(25)' }).waitFor();
    await page.keyboard.press('Escape');
    await field(page).blur();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.line.selected', { hasText: 'order(25)' }).waitFor();
    const url = new URL(page.url());
    expect(url.searchParams.get('ref')).toBe(head);
    expect(url.searchParams.get('path')).toBe('src/orders.ts');
    expect(url.hash).toBe('#L26');
    await page.goBack();
    await found(page).waitFor();
    await expect(field(page).inputValue()).resolves.toBe('order\\(\\d+\\)');
    // Without a query, the last choice applies.
    await page.goto(address());
    await expect(regexSwitch(page).getAttribute('aria-pressed')).resolves.toBe('true');
  });

  it('are found by literal text, and narrowed by folder, case and branch', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?pattern=ORDER'));
    await found(page).waitFor();
    await expect(paths(page)).resolves.toEqual(['src/Order.test.ts']);
    await page.getByLabel('Ignore case').check();
    await page.locator('section', { hasText: 'docs/orders.md' }).first().waitFor();
    const all = await paths(page);
    expect(all.indexOf('src/orders.ts'), 'code comes before documents').toBeLessThan(
      all.indexOf('docs/orders.md'),
    );
    await page.getByLabel('Path', { exact: true }).fill('src');
    await page.keyboard.press('Enter');
    // The test defines a name that matches, so it comes first.
    await eventually(() => paths(page)).toEqual(['src/Order.test.ts', 'src/orders.ts']);
    await field(page).fill('ORDER(3)');
    await page.keyboard.press('Enter');
    await page.locator('mark', { hasText: 'order(3)' }).waitFor();
    await eventually(() => page.locator('mark').count()).toBe(1);
    await page.getByRole('button', { name: /Branch, tag or commit/ }).click();
    await page.keyboard.type('rewrite');
    await page.keyboard.press('Enter');
    await page.getByText('No matches').waitFor();
    await page.getByLabel('Path', { exact: true }).fill('no/such/folder');
    await page.keyboard.press('Enter');
    await page.getByText('File or folder not found').waitFor();
  });

  it('explains an invalid regular expression and offers a literal search; omitted matches are counted', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?pattern=order%28&regex=true'));
    await page.getByRole('alert').waitFor();
    await expect(field(page).getAttribute('aria-invalid')).resolves.toBe('true');
    await page.getByText(/^Invalid regular expression: /).waitFor();
    await page.getByRole('button', { name: 'Search for the literal text instead' }).click();
    await found(page).waitFor();
    await expect(page.getByRole('alert').count()).resolves.toBe(0);
    await field(page).blur();
    await page.keyboard.press('/');
    await page.keyboard.type('again');
    await page.keyboard.press('Enter');
    await page.getByText('500 matching lines in 1 file').waitFor();
    await page.getByText(/Showing the first 500 matches \([\d,]+\+? more\)\. Narrow your search\./).waitFor();
  });
});

describe('file names', () => {
  it('are found by words, ignoring case, and by globs', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    await page.getByRole('link', { name: 'File names' }).click();
    const names = page.getByRole('searchbox', { name: 'Search file names' });
    await names.fill('SRC order');
    await page.keyboard.press('Enter');
    await page.getByText('2 files').waitFor();
    await names.fill('*.md');
    await page.keyboard.press('Enter');
    await page.getByText('1 file.').waitFor();
    await page.getByRole('list', { name: 'Files' }).getByRole('link').click();
    await page.getByText('An order is a promise.').waitFor();
    await page.goto(address('?mode=files&pattern=zebra'));
    await page.getByText('No matching files').waitFor();
    await page.goto(address(`?mode=files&pattern=${encodeURIComponent('a\\')}*`));
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});

it('Ctrl-K finds repositories and files, and searches the code of the open repository or of all', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('orders.md');
  await page.getByRole('option', { name: 'docs/orders.md' }).click();
  await page.getByText('An order is a promise.').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('shop');
  await page.getByRole('option', { name: /^acme\/shop/ }).click();
  await page.getByRole('list', { name: 'Files' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('again');
  await page.getByRole('option', { name: 'Search code in acme/shop for “again”' }).click();
  await found(page).waitFor();
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('order(25)');
  await page.getByRole('option', { name: 'Search code for “order(25)”' }).click();
  await page.getByText('1 matching line in 1 repository, of 1 searched.').waitFor();
});

it('shows invisible characters of paths and lines', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto(address('?pattern=order&path=odd'));
  await found(page).waitFor();
  await page.locator('h2 [data-sign="U+202E"]').waitFor();
  await page.locator('.line [data-sign="U+202E"]').first().waitFor();
  await page.goto(address('?mode=files&pattern=odd'));
  await page.getByRole('list', { name: 'Files' }).locator('[data-sign="U+202E"]').waitFor();
});

describe('a search in all repositories', () => {
  it('shows matches by repository and file, and says what is wrong with a field', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/');
    await page.getByRole('link', { name: 'Code search' }).click();
    await page.getByText('What are you looking for?').waitFor();
    const box = page.getByRole('searchbox', { name: 'Search code in all repositories' });
    await box.fill('order(25)');
    await page.keyboard.press('Enter');
    await page.getByText('1 matching line in 1 repository, of 1 searched.').waitFor();
    await expect(page.locator('mark').allInnerTexts()).resolves.toEqual(['order(25)']);
    await box.blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.line.selected', { hasText: 'order(25)' }).waitFor();
    await page.goBack();

    await page.getByLabel('Language').fill('klingon');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Language is not a known language').waitFor();
    await page.getByLabel('Language').fill('go');
    await page.keyboard.press('Enter');
    await page.getByText('No matches').waitFor();
  });
});
