/** Rendered Markdown: every construct, selections mapped to the source, highlights on the right words. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleOn } from './browser.ts';
import { selectText, showOn, startMarkdownPages } from './markdown-page.ts';

const { show } = await startMarkdownPages();

const html = (page: Page) =>
  page.evaluate(
    `document.querySelector('.markdown').innerHTML.replaceAll(/ (class|data-[\\w-]+|tabindex|id|width|height)="[^"]*"/g, '')`,
  ) as Promise<string>;

describe('every construct', () => {
  const CONSTRUCTS: [string, string, string[]][] = [
    ['headings', '# a\n\n## b\n\n###### c', ['<h1>a</h1>', '<h2>b</h2>', '<h6>c</h6>']],
    ['headings with a line below', 'a\n===\n\nb\n---', ['<h1>a</h1>', '<h2>b</h2>']],
    ['emphasis', '*a* **b** ~~c~~ ***d***', ['<em>a</em>', '<strong>b</strong>', '<del>c</del>']],
    ['code in a line', 'a `b <c>` d', ['<code>b &lt;c&gt;</code>']],
    ['hard breaks', 'a  \nb\\\nc', ['<p>a<br>b<br>c</p>']],
    [
      'lists',
      '- a\n- b\n\n1. c',
      ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', '<ol><li><p>c</p></li></ol>'],
    ],
    ['lists that begin later', '7. a\n8. b', ['<ol start="7">']],
    ['quotes', '> a\n>\n> > b', ['<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>']],
    ['rules', 'a\n\n---\n\nb', ['<p>a</p><hr><p>b</p>']],
    ['links', '[a](https://b.example/c "t")', ['<a href="https://b.example/c" title="t"', '>a</a>']],
    ['links by reference', '[a][r]\n\n[r]: https://b.example/', ['<a href="https://b.example/"', '>a</a>']],
    ['mail', '<m@b.example>', ['<a href="mailto:m@b.example"']],
    ['links to headings', '[a](#b)\n\n# b', ['<a href="#section-b">a</a>']],
    ['code blocks', '```\na <b>\n  c\n```', ['<pre><code>a &lt;b&gt;\n  c</code></pre>']],
    ['code blocks by indentation', '    a\n    b', ['<pre><code>a\nb</code></pre>']],
    ['code of a language that nobody knows', '```nosuch\na\n```', ['<span>nosuch</span>', '<code>a</code>']],
    ['entities', '&copy; &#35; \\*', ['<p>© # *</p>']],
  ];
  it('is rendered', async () => {
    const page = await show(undefined);
    for (const [what, source, expected] of CONSTRUCTS) {
      await showOn(page, source);
      const shown = await html(page);
      for (const part of expected) expect(shown, what).toContain(part);
    }
  });

  it('tables with alignment, task lists, addresses and notes', async () => {
    const page = await show(
      [
        '| Left | Middle | Right |\n| :--- | :---: | ---: |\n| a | `b\\|c` | **d** |',
        '- [x] done\n- [ ] not *yet*',
        'See https://a.example/x?y=1 and www.b.example, or write to m@c.example.',
        'One[^n], two[^m], one again[^n].\n\n[^m]: Second.\n[^n]: First, with `code`.\n[^u]: Nobody asks for it.',
      ].join('\n\n'),
    );
    const cells = page.getByRole('table').getByRole('cell');
    await expect(cells.allTextContents()).resolves.toEqual(['a', 'b|c', 'd']);
    const sides = 'getComputedStyle(cell).textAlign';
    await expect(
      page.evaluate(`[...document.querySelectorAll('td')].map((cell) => ${sides})`),
    ).resolves.toEqual(['left', 'center', 'right']);
    await expect(page.getByRole('img', { name: 'Done', exact: true }).count()).resolves.toBe(1);
    await expect(page.getByRole('img', { name: 'Not done' }).count()).resolves.toBe(1);
    const links = 'document.querySelectorAll(".part a[target=_blank]")';
    await expect(page.evaluate(`[...${links}].map((link) => link.href + ' ' + link.rel)`)).resolves.toEqual([
      'https://a.example/x?y=1 noopener noreferrer nofollow',
      'http://www.b.example/ noopener noreferrer nofollow',
      'mailto:m@c.example noopener noreferrer nofollow',
    ]);
    const notes = page.getByRole('region', { name: 'Notes' });
    await expect(notes.getByRole('listitem').allTextContents()).resolves.toEqual([
      'First, with code.↩',
      'Second.↩',
      'Nobody asks for it.',
    ]);
    await page.getByRole('link', { name: 'Note 2', exact: true }).click();
    await expect(page.evaluate(`document.querySelector(':target').innerText`)).resolves.toContain('Second.');
  });

  it('code with syntax highlighting, in light and dark', async () => {
    const page = await show('```ts\nconst a = "b"; // c\n```');
    const keyword = page.locator('.code-keyword').first();
    await expect(keyword.textContent()).resolves.toBe('const');
    await expect(page.locator('.code-string').textContent()).resolves.toBe('"b"');
    await expect(page.locator('.code-comment').textContent()).resolves.toBe('// c');
    await expect(page.locator('code').textContent()).resolves.toBe('const a = "b"; // c');
    const color = () => page.evaluate(`getComputedStyle(document.querySelector('.code-keyword')).color`);
    const light = await color();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(color()).resolves.not.toBe(light);
  });

  it('diagrams, redrawn when the theme changes, with a button for their source', async () => {
    const page = await show('```mermaid\nflowchart LR\n  A[Start] --> B{Ready?}\n```');
    const picture = page.getByRole('img', { name: /Diagram \(flowchart\)/ });
    const light = await picture.getAttribute('src');
    expect(decodeURIComponent(light!)).toMatch(/^data:image\/svg\+xml,<svg.*Start.*Ready/s);
    const drawnWidth = () => page.evaluate(`document.querySelector('.diagram img').naturalWidth`);
    await expect.poll(drawnWidth).toBeGreaterThan(50);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => picture.getAttribute('src'), { timeout: 10_000 }).not.toBe(light);
    await page.getByRole('button', { name: 'Source' }).click();
    await expect(page.locator('.diagram code').textContent()).resolves.toContain('A[Start] --> B{Ready?}');
  });

  it('a wide table and a diagram in full screen, closed with Escape', async () => {
    const row = `|${' a-long-name |'.repeat(30)}\n`;
    const page = await show(
      `${row}|${' --- |'.repeat(30)}\n${row}\n\`\`\`mermaid\nflowchart LR\n  A --> B\n\`\`\``,
    );
    await page.getByRole('img', { name: /Diagram \(flowchart\)/ }).waitFor();
    const buttons = page.getByRole('button', { name: 'Open in full screen' });
    for (const [index, name, content] of [
      [0, 'Table', 'table'],
      [1, 'Diagram', 'img'],
    ] as const) {
      await buttons.nth(index).click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.locator(content).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('a comment, with its line breaks and without ids', async () => {
    const page = await show({ content: 'one\ntwo **three**\n\n# four', short: true });
    await expect(page.locator('.markdown-text p').innerText()).resolves.toBe('one\ntwo three');
    await expect(page.locator('.markdown-text [id]').count()).resolves.toBe(0);
  });
});

describe('a selection is mapped to the source', () => {
  const CODE = '> - item\n>\n>   ```ts\n>   const a = 1;\n>\n>   return a;\n>   ```';
  const TABLE = '| a | b |\n| --- | --- |\n| one | `x\\|y` |\n| two **bold** | z |';
  const CASES = [
    ['a word', 'one two three', 'two', 'two', 'two'],
    ['the whole text', 'one two three', 'one', 'three', 'one two three'],
    ['white space around it is left out', 'one two three', ' two ', ' two ', 'two'],
    ['from plain into bold', 'one **two three** four', 'one', 'two', 'one **two'],
    ['inside bold', 'one **two three** four', 'two three', 'two three', 'two three'],
    ['across bold', 'one **two** three', 'one', 'three', 'one **two** three'],
    ['nested emphasis', 'a ***b* c** d', 'b', 'c', 'b* c'],
    ['a link', 'see [the notes](https://a.example) now', 'the notes', 'the notes', 'the notes'],
    [
      'across a link',
      'see [the notes](https://a.example) now',
      'see',
      'now',
      'see [the notes](https://a.example) now',
    ],
    ['an address', 'see https://a.example/x now', 'a.example', 'a.example', 'a.example'],
    ['code in a line', 'run `npm ci` first', 'npm ci', 'npm ci', 'npm ci'],
    ['an entity', 'Q&amp;A here', 'Q&A', 'Q&A', 'Q&amp;A'],
    ['an entity alone', 'a &lt; b', '<', '<', '&lt;'],
    ['an escape', 'a \\*b\\* c', '*b*', '*b*', '\\*b\\*'],
    ['over a soft line break', 'one\ntwo\nthree', 'one', 'three', 'one\ntwo\nthree'],
    ['over a hard line break', 'one  \ntwo', 'one', 'two', 'one  \ntwo'],
    ['over lines of a quote', '> one\n> two\n> three', 'two', 'three', 'two\n> three'],
    ['a heading', '## The *change* now\n\ntext', 'The', 'now', 'The *change* now'],
    ['a heading with a line below', 'Title here\n===\n\ntext', 'here', 'text', 'here\n===\n\ntext'],
    ['several blocks', '# One\n\nTwo.\n\n- three\n- four', 'One', 'three', 'One\n\nTwo.\n\n- three'],
    ['list items', '- one\n  - two\n- three', 'one', 'two', 'one\n  - two'],
    ['a task', '- [x] first thing\n- [ ] second', 'first', 'second', 'first thing\n- [ ] second'],
    ['a cell', TABLE, 'bold', 'bold', 'bold'],
    ['cells of a row', TABLE, 'one', 'y', 'one | `x\\|y'],
    ['cells of two rows', TABLE, 'y', 'two', 'y` |\n| two'],
    ['code in a list in a quote', CODE, 'const', 'return a', 'const a = 1;\n>\n>   return a'],
    ['a line of code', CODE, 'return a;', 'return a;', 'return a;'],
    ['from text into code', 'say:\n\n```\nzz y\n```', 'say', 'zz', 'say:\n\n```\nzz'],
    ['raw HTML', 'a <b class="c">d</b> e', 'class="c"', 'd', 'class="c">d'],
    [
      'an external image',
      'x ![a graph](https://a.example/g.png) y',
      'graph',
      'graph',
      '![a graph](https://a.example/g.png)',
    ],
    ['a note', 'one[^1] two\n\n[^1]: the note says', 'note says', 'note says', 'note says'],
    [
      'from the text into a note above it',
      'a[^1] b\n\n[^1]: note\n\nlast words',
      'last',
      'note',
      'note\n\nlast words',
    ],
    ['letters of two code units', 'a 😀😁 b 👩‍👩‍👧 c', '😁', '👩‍👩‍👧', '😁 b 👩‍👩‍👧'],
    ['a line end of two characters', 'one\r\ntwo\r\n\r\nthree', 'two', 'three', 'two\r\n\r\nthree'],
    ['after a byte order mark', '\uFEFFone two', 'two', 'two', 'two'],
  ] as const;
  it('wherever it is made', async () => {
    const page = await show(undefined);
    for (const [what, source, from, to, expected] of CASES) {
      await showOn(page, source);
      const range = await selectText(page, from, to);
      expect(range && source.slice(range.start, range.end), what).toBe(expected);
    }
  });

  it('as nothing, when only white space or text outside is selected', async () => {
    const page = await show('one **two**\n\nthree');
    await expect(selectText(page, ' ')).resolves.toBeUndefined();
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('nav, output'))`);
    await expect(page.evaluate('selectionToSource(getSelection())')).resolves.toBeUndefined();
  });

  it('as a whole, when everything on the page is selected', async () => {
    const source = '# One\n\n- two\n\n| a |\n| - |\n| b |\n\nlast *word*.';
    const page = await show(source);
    await page.evaluate('getSelection().selectAllChildren(document.body)');
    const range = (await page.evaluate('selectionToSource(getSelection())')) as {
      start: number;
      end: number;
    };
    expect(source.slice(range.start, range.end)).toBe(source.slice(2));
  });

  it('when it is made with the mouse, and cleared when it is gone', async () => {
    const source = 'Every **write goes to both** stores until the last reader is gone.';
    const page = await show(source);
    const place = async (word: string) => {
      await selectText(page, word);
      return (await page.evaluate(
        `(({ left, right, top, height }) => ({ left, right, middle: top + height / 2 }))(getSelection().getRangeAt(0).getBoundingClientRect())`,
      )) as { left: number; right: number; middle: number };
    };
    const [first, last] = [await place('goes'), await place('stores')];
    await page.evaluate('getSelection().empty()');
    await page.mouse.move(first.left, first.middle);
    await page.mouse.down();
    await page.mouse.move(last.right, last.middle, { steps: 4 });
    await page.mouse.up();
    const selected = page.getByLabel('Selected');
    await selected.filter({ hasText: 'goes to both** stores' }).waitFor();
    await page.mouse.click(5, 300);
    await expect.poll(() => selected.textContent()).toBe('');
  });

  it('with highlights and colors on the text', async () => {
    const source = '```ts\nconst value = "text";\n```';
    const start = source.indexOf('value');
    const highlights = [{ id: 'h', start, end: start + 9, tone: 'comment' }];
    const page = await show({ content: source, highlights });
    await page.locator('.code-keyword').first().waitFor();
    const range = await selectText(page, 'nst value = "te');
    expect(source.slice(range!.start, range!.end)).toBe('nst value = "te');
  });
});

describe('highlights', () => {
  const SOURCE =
    'During the change every write goes to **both stores** until\nthe `last reader` is gone.\n\n- and here &amp; there';
  const at = (words: string, id: string, tone = 'comment') => {
    const start = SOURCE.indexOf(words);
    return { id, start, end: start + words.length, tone, label: `Comment ${id}` };
  };
  const marked = async (page: Page, id: string) =>
    (
      (await page.evaluate(
        `[...document.querySelectorAll('mark[data-highlight~="${id}"]')].map((mark) => mark.textContent)`,
      )) as string[]
    ).join('');

  it('cover their words, across markup and line breaks, and may overlap', async () => {
    const highlights = [
      at('goes to **both stores** until\nthe `last', 'a'),
      at('**both', 'b', 'active'),
      at('both stores', 'c'),
      at('here &amp;', 'd', 'quiet'),
    ];
    const page = await show({ content: SOURCE, highlights });
    await expect(marked(page, 'a')).resolves.toBe('goes to both stores until\nthe last');
    await expect(marked(page, 'b')).resolves.toBe('both');
    await expect(marked(page, 'c')).resolves.toBe('both stores');
    await expect(marked(page, 'd')).resolves.toBe('here &');
    await expect(page.locator('.markdown p').first().textContent()).resolves.toBe(
      'During the change every write goes to both stores until\nthe last reader is gone.',
    );
    await expectAccessible(page, 'highlights');
  });

  it('can be opened by click and keyboard, shortest first, with one tab stop each', async () => {
    const highlights = [
      at('every write goes to **both', 'long'),
      at('both stores', 'short'),
      at('here', 'other'),
    ];
    const page = await show({ content: SOURCE, highlights });
    const chosen = page.getByLabel('Chosen');
    await page.locator('mark', { hasText: 'both' }).click();
    await chosen.filter({ hasText: 'short, long' }).waitFor();
    await page.locator('mark', { hasText: 'goes' }).click();
    await chosen.filter({ hasText: /^long$/ }).waitFor();
    await expect(page.locator('mark[tabindex="0"]').allTextContents()).resolves.toEqual([
      'every write goes to ',
      'both',
      'here',
    ]);
    await page.getByRole('button', { name: 'here' }).focus();
    await page.keyboard.press('Enter');
    await chosen.filter({ hasText: 'other' }).waitFor();
    await expect(page.getByRole('button', { name: 'here' }).getAttribute('title')).resolves.toBe(
      'Comment other',
    );
  });

  it('change without re-rendering anything else', async () => {
    const page = await show({ content: SOURCE, highlights: [at('every', 'a')] });
    await page.evaluate(`document.querySelector('li p').dataset.kept = 'yes'`);
    await showOn(page, { content: SOURCE, highlights: [at('gone', 'b')] });
    await expect.poll(() => marked(page, 'b')).toBe('gone');
    await expect(marked(page, 'a')).resolves.toBe('');
    await expect(page.locator('[data-kept=yes]').count()).resolves.toBe(1);
  });

  it('in the source of a diagram are shown on its name while it is drawn', async () => {
    const content = '```mermaid\nflowchart LR\n  A --> B\n```';
    const start = content.indexOf('A -->');
    const page = await show({ content, highlights: [{ id: 'd', start, end: start + 7, tone: 'comment' }] });
    await page.getByRole('img', { name: /Diagram/ }).waitFor();
    await page.getByRole('button', { name: 'Diagram' }).click();
    await page.getByLabel('Chosen').filter({ hasText: 'd' }).waitFor();
  });
});

describe.each([
  ['on a desk', false],
  ['on a phone', true],
])('the sample %s', (_where, phone) => {
  it('is accessible in light and dark, and only its tables and code scroll horizontally', async () => {
    const page = await show(undefined, { phone });
    await page.locator('.code-keyword').first().waitFor();
    await page.locator('.diagram').scrollIntoViewIfNeeded();
    await page.getByRole('img', { name: /Diagram \(flowchart\)/ }).waitFor();
    await expectAccessibleOn(phone, page, 'the sample');
    await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBeLessThanOrEqual(
      phone ? 390 : 1280,
    );
  });
});
