/** Repository → Files: any folder and file at any branch, tag or commit, by addresses that can be shared. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { lfsPointer, makeRepository } from '../helpers/git/git-fixtures.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { expectAccessible, startBrowser, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';
import { addRepository, LOCAL_ALLOWED } from './sample-repository.ts';

const MANY_LINES = 12_000;
const [IMAGE, SCRIPT] = HOSTILE_TEXTS as [string, string];
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const TURNED = 'safe \u202Egpj.exe';

const repository = await makeRepository(
  [
    [
      'README.md',
      `# The shop\n\n![logo](logo.png) ![gone](gone.png) ![far](https://img.example/far.png) [![build](https://ci.example/b.svg)](https://ci.example)\n\nRead **me** and [main](src/main.ts#L2) and [the guide](/docs/guide.md#how-to-pay). ${IMAGE}\n\n<p align="center">\n  <img src="badge.svg" alt="badge">\n</p>\n`,
    ],
    ['logo.png', PIXEL],
    [
      'docs/guide.md',
      `# Guide\n\n${'A line.\n\n'.repeat(60)}\n## How to pay\n\n![logo](../logo.png) [back](../README.md) [code](../src/) ${IMAGE}\n\n<script>${SCRIPT}</script>\n`,
    ],
    [
      'src/money.ts',
      '/**\n * The sum of all prices, in cents.\n */\nexport function totalOf(\n  prices: number[],\n): number {\n  return prices.length;\n}\n',
    ],
    ['src/other.ts', 'export const totalOf = 1;\n'],
    [
      'src/cart.ts',
      "import { totalOf } from './money.ts';\n// totalOf\nexport const sum = totalOf([1, 2]);\n",
    ],
    [
      'badge.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>pwned=1</script></svg>',
    ],
    [
      'src/main.ts',
      `export const answer = 42;\n${Array.from({ length: 80 }, (_, at) => `f(${at});`).join('\n')}\n`,
    ],
    ['src/deep/er/file.txt', 'deep\n'],
    ['empty.txt', ''],
    ['binary.dat', Buffer.from([0, 1, 2, 3])],
    ['large.bin', lfsPointer('a'.repeat(64), 1_000_000)],
    ['many.txt', Array.from({ length: MANY_LINES }, (_, at) => `line ${at + 1}`).join('\n')],
    ['constructor', 'no language has this name\n'],
    ['link', { symlink: 'src/main.ts' }],
    ['outside', { symlink: '/etc/passwd' }],
    ['vendor/module', { submodule: '1'.repeat(40) }],
    [`odd/${IMAGE.replaceAll('/', '')}`, `${IMAGE}\n${SCRIPT}\n`],
    [`odd/${TURNED}`, `${HOSTILE_TEXTS.join('\n')}\nwide ${'W'.repeat(500_000)}\n`],
    ['odd/new\nline.txt', 'found\n'],
    [Buffer.from('odd/caf\xe9.txt', 'latin1'), 'latin\n'],
  ],
  { name: 'acme/shop.git' },
);
afterAll(() => repository.remove());
const first = await repository.git('rev-parse', 'main');
await repository.git('tag', 'v1.0');
await repository.commit(
  { 'src/main.ts': 'export const answer = 43;\n' },
  { branch: 'feature/new/answer', from: first },
);
const second = await repository.commit(
  { 'src/other.ts': 'export const totalOf = 1;\nexport const taxes = 2;\n' },
  { branch: 'taxes', from: first, message: `Add taxes ${IMAGE}` },
);

const service = await startTestService({
  webAppFolder: inject('webAppFolder'),
  worker: true,
  settings: LOCAL_ALLOWED,
});
const { newPerson } = await startBrowser();
const { member } = service.acme;
const id = await addRepository(service, service.acme.admin, { url: repository.folder, name: 'acme/shop' });
const address = (query = '', hash = '') => `/repositories/${id}${query}${hash}`;

const files = (page: Page) => page.getByRole('list', { name: 'Files' });
const line = (page: Page, number: number) =>
  page.getByRole('button', { name: `Line ${number}`, exact: true });
const chosen = (page: Page) => page.locator('.line.selected').evaluateAll((lines) => lines.length);

describe('folders', () => {
  it('come first, describe their entries, link to each other, and show their README', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/repositories');
    await page.getByRole('link', { name: 'acme/shop' }).click();
    await page.getByRole('heading', { name: 'The shop' }).waitFor();
    const readme = page.getByRole('region', { name: 'README' });
    await readme.getByRole('link', { name: 'build', exact: true }).waitFor();
    for (const name of ['logo', 'badge']) {
      const image = readme.getByRole('img', { name });
      await image.waitFor();
      await eventually(async () =>
        expect(
          await image.evaluate((element: { naturalWidth: number }) => element.naturalWidth),
        ).toBeGreaterThan(0),
      );
    }
    await readme.getByRole('link', { name: 'gone' }).waitFor();
    await expect(readme.getByRole('link', { name: 'far' }).getAttribute('href')).resolves.toBe(
      'https://img.example/far.png',
    );
    await expect(page.evaluate('globalThis.pwned')).resolves.toBeUndefined();
    await readme.getByRole('link', { name: 'main' }).click();
    await page.getByText('export const answer').waitFor();
    await page.goBack();
    await readme.waitFor();
    expect(await page.title()).toContain('acme/shop');
    // The last commit of each entry comes later, in room that was there before.
    await files(page).getByRole('listitem').filter({ hasText: 'logo.png' }).getByText('Commit 1').waitFor();
    const names = await files(page).getByRole('listitem').allInnerTexts();
    expect(names.map((name) => name.split('\n')[0]).slice(0, 4)).toEqual(['docs', 'odd', 'src', 'vendor']);
    await files(page).getByText('symbolic link').first().waitFor();
    await files(page).getByRole('link', { name: 'vendor' }).click();
    await files(page).getByText('submodule', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Parent folder' }).click();
    await files(page).getByRole('link', { name: 'src' }).click();
    await files(page).getByRole('link', { name: 'deep' }).click();
    await files(page).getByRole('link', { name: 'er', exact: true }).click();
    await files(page).getByRole('link', { name: 'file.txt' }).click();
    await page.getByText('deep', { exact: true }).last().waitFor();
    const way = page.getByRole('navigation', { name: 'Path' });
    await expect(way.innerText()).resolves.toMatch(/shop\s*\/\s*src\s*\/\s*deep\s*\/\s*er\s*\/\s*file\.txt/);
    await way.getByRole('link', { name: 'src' }).click();
    await files(page).getByRole('link', { name: 'main.ts' }).waitFor();
    await page.goto(address('?path=src/deep'));
    await files(page).getByRole('link', { name: 'er', exact: true }).waitFor();
  });

  it('and files can be opened with only the keyboard', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto('/');
    await untilLoaded(page, /Welcome/);
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('link', { name: 'acme/shop' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await files(page).waitFor();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await files(page).getByRole('link', { name: 'main.ts' }).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('DEEP fil');
    await page.getByRole('option', { name: 'src/deep/er/file.txt' }).waitFor();
    await expectAccessible(page, 'go to file');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(() => new URL(page.url()).searchParams.get('path')).toBe('src/deep/er/file.txt');
  });
});

describe('branches, tags and commits', () => {
  it('are picked by part of the name, including slashes, or by a commit id', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await page.getByText('answer = 42').waitFor();
    const picker = page.getByRole('button', { name: /Branch, tag or commit/ });
    await picker.click();
    await page.getByRole('option', { name: 'v1.0' }).waitFor();
    await page.keyboard.type('answer');
    await page.getByRole('option', { name: 'v1.0' }).waitFor({ state: 'detached' });
    await page.getByRole('option', { name: 'feature/new/answer' }).click();
    await page.getByText('answer = 43').waitFor();
    expect(new URL(page.url()).searchParams.get('ref')).toBe('feature/new/answer');
    const other = await newPerson(service.url, { as: service.acme.viewer });
    await other.page.goto(page.url());
    await other.page.getByText('answer = 43').waitFor();
    await picker.click();
    await page.keyboard.type(first.slice(0, 10));
    await page.getByRole('option', { name: first.slice(0, 10) }).click();
    await page.getByText('answer = 42').waitFor();
    await page.goto(address('?ref=gone'));
    await page.getByText('Branch, tag or commit not found').waitFor();
    await page.getByRole('link', { name: 'Go to main' }).click();
    await files(page).waitFor();
    await page.goto(address('?path=src/gone.ts'));
    await page.getByText('File or folder not found').waitFor();
  });
});

describe('panels of a file', () => {
  it('show where a name is defined and used, and the history', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await page.getByRole('button', { name: 'Symbols' }).click();
    const symbols = page.getByRole('region', { name: 'Symbols' });
    const detail = 'This commit is still being indexed.';
    await page.route(
      '**/remote-fs/symbols?*',
      (route) => route.fulfill({ status: 409, json: { code: 'repository_not_ready', detail } }),
      { times: 1 },
    );
    await page.getByText('answer', { exact: true }).first().dblclick();
    await symbols.getByRole('status').getByText(detail).waitFor();
    const definition = symbols.getByRole('list', { name: 'Definitions' }).getByRole('link');
    // The first answer waits for the symbols of the commit to be indexed.
    await expect(definition.innerText({ timeout: 40_000 })).resolves.toBe('src/main.ts:1');
    await symbols.getByRole('searchbox').fill('f');
    await symbols.getByRole('button', { name: 'Find' }).click();
    const references = symbols.getByRole('list', { name: 'References' });
    await references.getByText('f(3);', { exact: true }).waitFor();
    await references.getByRole('link', { name: 'src/main.ts:5', exact: true }).click();
    await eventually(() => new URL(page.url()).hash).toBe('#L5');
    await expectAccessible(page, 'the symbols of a file');
    await page.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('region', { name: 'History of line 5' });
    await history.getByRole('link', { name: first.slice(0, 7) }).waitFor();
    await expectAccessible(page, 'the history of a line');
  });
});

const tooltip = (page: Page, name: string) => page.getByRole('dialog', { name: `Definition of ${name}` });

/** The middle of a name in a line, as the browser lays it out. */
const MIDDLE_OF_NAME = `(line, name) => {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(name);
    if (at === -1) continue;
    const range = document.createRange();
    range.setStart(walker.currentNode, at);
    range.setEnd(walker.currentNode, at + name.length);
    const { height, left, top, width } = range.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }
}`;

async function restOn(page: Page, lineNumber: number, name: string): Promise<void> {
  const text = `document.querySelector('[data-line="${lineNumber}"] .text')`;
  await page.waitForFunction(text);
  const middle = (await page.evaluate(`(${MIDDLE_OF_NAME})(${text}, '${name}')`)) as { x: number; y: number };
  await page.mouse.move(middle.x, middle.y);
}

describe('names in code', () => {
  it('show their definition to a resting pointer, and a click goes there', async () => {
    const { page } = await newPerson(service.url, { as: member });
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('remote-fs/symbols')) requests.push(request.url());
    });
    await page.goto(address('?path=src/cart.ts'));
    await page.locator('.code-comment').first().waitFor();
    await restOn(page, 3, 'totalOf');
    const card = tooltip(page, 'totalOf');
    await card.getByText('export function totalOf(').waitFor({ timeout: 40_000 });
    await expect(card.innerText()).resolves.toMatch(
      /prices: number\[\],\n\): number\s+The sum of all prices, in cents\.\s+src\/money\.ts:4\s+function\s+Other definitions\s+src\/other\.ts:1/,
    );
    await expectAccessible(page, 'a definition');
    // Neither a word of the language nor one in a comment is looked up.
    await page.mouse.move(0, 0);
    await card.waitFor({ state: 'detached' });
    const before = requests.length;
    await restOn(page, 2, 'totalOf');
    await restOn(page, 3, 'export');
    await restOn(page, 3, 'sum');
    await tooltip(page, 'sum').getByText('Defined here').waitFor();
    expect(requests.slice(before).map((url) => new URL(url).searchParams.get('name'))).toEqual(['sum']);
    await restOn(page, 3, 'totalOf');
    await card.waitFor();
    await page.mouse.down();
    await page.mouse.up();
    await eventually(() => new URL(page.url()).searchParams.get('path')).toBe('src/money.ts');
    const to = new URL(page.url());
    expect([to.searchParams.get('ref'), to.hash]).toEqual([first, '#L4']);
  });

  it('show it to the keyboard, and Enter goes there', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/cart.ts', '#L3'));
    await page.locator('.code-keyword').first().waitFor();
    await line(page, 3).focus();
    await page.keyboard.press('d');
    await tooltip(page, 'sum').getByText('1 of 2 names').waitFor();
    await page.keyboard.press('ArrowRight');
    const card = tooltip(page, 'totalOf');
    await card.getByText('export function totalOf(').waitFor();
    await expectAccessible(page, 'a definition by keyboard');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await expect(page.evaluate('document.activeElement.dataset.number')).resolves.toBe('3');
    await page.keyboard.press('d');
    await page.keyboard.press('ArrowRight');
    await card.getByText('export function totalOf(').waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => new URL(page.url()).searchParams.get('path')).toBe('src/money.ts');
  });
});

describe('blame', () => {
  it('is beside the lines, stays on, and leads to commits and to the time before them', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?ref=taxes&path=src/other.ts'));
    await page.getByRole('button', { name: 'Blame' }).click();
    const run = page.getByRole('button', { name: `Commit ${second.slice(0, 7)}` });
    await run.waitFor();
    await expect(page.locator('.blame.first').count()).resolves.toBe(2);
    await expectAccessible(page, 'blame');
    await expectHarmless(page, 'blame');
    await run.click();
    await page.getByRole('link', { name: `File at ${second.slice(0, 7)}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 800 });
    await run.click();
    const details = page.getByRole('dialog', { name: `Commit ${second.slice(0, 7)}` });
    await details.getByText('Add taxes').waitFor();
    await page.goto(address('?path=src/cart.ts'));
    await page.locator('.blame.first').waitFor();
    await page.getByRole('button', { name: 'Blame' }).click();
    await page.locator('.blame').first().waitFor({ state: 'detached' });
  });

  it('before a change shows the file without it', async () => {
    const { page } = await newPerson(service.url, { as: member });
    const commit = await repository.commit({ 'src/other.ts': 'now = 3;\n' }, { branch: 'taxes' });
    await service.mirrors.refresh(id, { onlyWhenDue: false, signal: AbortSignal.timeout(30_000) });
    await page.goto(address(`?ref=${commit}&path=src/other.ts`));
    await page.getByRole('button', { name: 'Blame' }).click();
    await page.getByRole('button', { name: `Commit ${commit.slice(0, 7)}` }).click();
    await page.getByRole('link', { name: 'Blame before this change' }).click();
    await page.getByRole('button', { name: `Commit ${second.slice(0, 7)}` }).waitFor();
    await page.locator('.line', { hasText: 'taxes = 2' }).waitFor();
    expect(new URL(page.url()).searchParams.get('ref')).toBe(second);
  });
});

describe('Markdown files', () => {
  it('are formatted, with links to files and headings, and lines lead to the source', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    await page.getByRole('region', { name: 'README' }).getByRole('link', { name: 'the guide' }).click();
    const heading = page.getByRole('heading', { name: 'How to pay' });
    await heading.waitFor();
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(100);
    await eventually(async () =>
      expect(
        await page
          .getByRole('img', { name: 'logo' })
          .evaluate((element: { naturalWidth: number }) => element.naturalWidth),
      ).toBeGreaterThan(0),
    );
    await expectHarmless(page, 'a Markdown file');
    await expectAccessible(page, 'a Markdown file');
    await page.getByRole('link', { name: 'code', exact: true }).click();
    await files(page).getByRole('link', { name: 'main.ts' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Source' }).click();
    await page.locator('.line', { hasText: '## How to pay' }).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await heading.waitFor();
    await page.goto(address('?path=docs/guide.md', '#L1'));
    await page.locator('.line.selected', { hasText: '# Guide' }).waitFor();
  });
});

describe('lines', () => {
  it('are selected by their numbers, and the address links to them, permanently at a commit', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=src/main.ts'));
    await line(page, 3).click();
    await eventually(() => new URL(page.url()).hash).toBe('#L3');
    await line(page, 6).click({ modifiers: ['Shift'] });
    await eventually(() => new URL(page.url()).hash).toBe('#L3-L6');
    await line(page, 6).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await eventually(() => new URL(page.url()).hash).toBe('#L3-L7');
    await expect(chosen(page)).resolves.toBe(5);
    await page.locator('.code-keyword').first().waitFor();
    await page.getByRole('link', { name: 'Permalink' }).click();
    await eventually(() => page.url()).toContain(`ref=${first}`);
    expect(new URL(page.url()).hash).toBe('#L3-L7');
    await page.goto(address('?path=src/main.ts', '#L70'));
    await line(page, 70).waitFor();
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(100);
    await page.keyboard.press('y');
    await eventually(() => page.url()).toContain(`ref=${first}`);
  });

  it('of a long file are loaded around the selected line, and more on demand', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address('?path=many.txt', '#L7000'));
    await page.locator('.line.selected', { hasText: 'line 7000' }).waitFor();
    await expect(page.locator('[data-line="4999"]').count()).resolves.toBe(0);
    await page.getByText('Show lines before 5,001').click();
    await page.locator('[data-line="1"]').waitFor({ state: 'attached' });
    await page.getByText('Show lines after 10,000').click();
    await page.locator(`[data-line="${MANY_LINES}"]`).waitFor({ state: 'attached' });
    await expect(page.getByText('Show lines').count()).resolves.toBe(0);
  });
});

describe('files without lines', () => {
  it('say what they are, and symbolic links lead to their target', async () => {
    const { page } = await newPerson(service.url, { as: member });
    await page.goto(address());
    for (const [name, words] of [
      ['empty.txt', 'This file is empty'],
      ['binary.dat', 'Binary file'],
      ['large.bin', 'This file is stored in Git LFS'],
      ['constructor', 'no language has this name'],
      ['outside', 'outside the repository'],
    ] as const) {
      await files(page).getByRole('link', { name, exact: true }).click();
      await page.getByText(words).waitFor();
      await page.goBack();
    }
    await files(page).getByRole('link', { name: 'link', exact: true }).click();
    await page.getByRole('link', { name: 'src/main.ts' }).click();
    await page.getByText('answer = 42').waitFor();
  });
});

it('escapes hostile names and contents, and shows invisible characters', async () => {
  const { page } = await newPerson(service.url, { as: member });
  await page.goto(address('?path=odd/'));
  await files(page).getByText(IMAGE.slice(0, 10)).waitFor();
  for (const sign of ['↵', 'U+202E']) await files(page).locator(`[data-sign="${sign}"]`).waitFor();
  await files(page)
    .getByRole('link', { name: /gpj\.exe/ })
    .click();
  await page.locator('.line [data-sign="U+2066"]').waitFor();
  await page.locator('[data-words*="more characters"]').waitFor();
  await page.getByText('too large for syntax highlighting').waitFor();
  expect(await page.title()).toContain('⟨U+202E⟩');
  await expectHarmless(page, 'a file');
  for (const [name, words] of [
    [/line\.txt/, 'found'],
    [/caf/, 'latin'],
    [/onerror/, 'globalThis.pwned=1</script>'],
  ] as const) {
    await page.goBack();
    await files(page).getByRole('link', { name }).click();
    await page.locator('.line', { hasText: words }).waitFor();
  }
});
