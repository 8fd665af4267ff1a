/** Hostile Markdown and diagrams: nothing in them runs, loads, breaks the layout or blocks the page. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './browser.ts';
import { selectText, showOn, startMarkdownPages } from './markdown-page.ts';

const { open, pageWithClock, show, url } = await startMarkdownPages();

const RUN = 'globalThis.pwned=1';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`;

/** The only elements and addresses that any text can produce. */
async function expectHarmless(page: Page, what: string): Promise<void> {
  for (const frame of page.frames())
    await expect(frame.evaluate('globalThis.pwned'), `nothing ran: ${what}`).resolves.toBeUndefined();
  const strange = await page.evaluate(`[...document.querySelectorAll('.markdown *')].filter((element) =>
    ['SCRIPT', 'STYLE', 'IFRAME', 'OBJECT', 'EMBED', 'FORM', 'INPUT', 'BASE', 'META', 'LINK', 'FOREIGNOBJECT'].includes(element.tagName.toUpperCase()) ||
    [...element.attributes].some(({ name, value }) => name.startsWith('on') ||
      (name === 'href' && !/^(https?:|mailto:|#)/.test(value)) ||
      (name === 'src' && !/^data:image\\/(png|jpeg|gif|webp);base64,/.test(value) && !element.closest('.picture')))
  ).map((element) => element.outerHTML.slice(0, 200))`);
  expect(strange, `nothing strange was made: ${what}`).toEqual([]);
}

const TEXTS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `text <img src=x onerror="${RUN}"> text`,
  SVG,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `<details open ontoggle="${RUN}">x</details>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<style>@import url(https://elsewhere.example/x.css);</style>`,
  `<base href="https://elsewhere.example/">`,
  `<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">`,
  `<form action="https://elsewhere.example/"><input autofocus onfocus="${RUN}"></form>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}">`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](<java\tscript:${RUN}>)`,
  `[x](java&#10;script:${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](javascript&colon;${RUN})`,
  `[x](\u0001javascript:${RUN})`,
  `[x](vbscript:x)`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  `[x](data:text/html;base64,PHNjcmlwdD5wd25lZD0xPC9zY3JpcHQ+)`,
  `[x](blob:${url}/x)`,
  `[x](file:///etc/passwd)`,
  `[x](//elsewhere.example/x)`,
  `[x](/settings/people)`,
  `[x][r]\n\n[r]: javascript:${RUN}`,
  `<javascript:${RUN}>`,
  `![x](https://elsewhere.example/x.png)`,
  `![x](//elsewhere.example/x.png)`,
  `![x](x" onerror="${RUN})`,
  `![x](data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')})`,
  `![x](data:image/svg+xml,${encodeURIComponent(SVG)})`,
  `![x](data:text/html,<script>${RUN}</script>)`,
  `![x](javascript:${RUN})`,
  `[![x](https://elsewhere.example/x.png)](javascript:${RUN})`,
  `[![x](https://elsewhere.example/x.png)](https://elsewhere.example/)`,
  `\`\`\`"><img src=x onerror="${RUN}">\nx\n\`\`\``,
  `# <img src=x onerror="${RUN}">\n\n[x](#"><img)`,
  `x[^"><script>]\n\n[^"><script>]: <img src=x onerror="${RUN}">`,
  `| <img src=x onerror="${RUN}"> |\n| - |\n| [x](javascript:${RUN}) |`,
  '# __proto__\n\n# constructor\n\n[__proto__]\n\n[constructor]: https://a.example\n\n[constructor] [toString]',
  `safe \u202Egnp.exe\u2066 \u200F end ${'W'.repeat(5000)} Z${'\u0310\u0334'.repeat(200)}`,
];

describe('a text', () => {
  it('runs nothing, loads nothing and stays within its container, on a desk and on a phone', async () => {
    const page = await show(undefined);
    for (const content of TEXTS) {
      for (const short of [true, false]) {
        await page.setViewportSize({ width: 1280, height: 800 });
        await showOn(page, { content, short });
        await expectHarmless(page, content);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 800 });
          const taken = await page.evaluate('document.documentElement.scrollWidth');
          expect(taken, content).toBeLessThanOrEqual(width);
        }
      }
    }
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await showOn(page, `![a pixel](data:image/png;base64,${pixel})`);
    await page.getByRole('img', { name: 'a pixel' }).waitFor();
    await expectHarmless(page, 'an image that may be shown');
  });
});

describe('a diagram', () => {
  const diagram = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
  const settled = (page: Page) =>
    page.locator('.diagram :is(img, .why)').first().waitFor({ timeout: 30_000 });
  const DIAGRAMS = [
    `flowchart LR\n  A["<img src=x onerror=${RUN}>"] --> B["<script>${RUN}</script>"]`,
    `flowchart LR\n  A --> B\n  click A "javascript:${RUN}"\n  click B href "javascript:${RUN}" _blank`,
    `flowchart LR\n  A --> B\n  click A call eval("${RUN}")\n  click B callback "x"`,
    `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src=x onerror=${RUN}>"]`,
    `%%{init: {"theme": "base", "themeCSS": "@import url(https://elsewhere.example/x.css); * {background: url(https://elsewhere.example/x.png)} </style><script>${RUN}</script>"}}%%\nflowchart LR\n  A --> B`,
    `%%{init: {"themeVariables": {"primaryColor": "red;}</style><script>${RUN}</script>"}, "fontFamily": "</style><img src=x onerror=${RUN}>"}}%%\nflowchart LR\n  A --> B`,
    `---\nconfig:\n  securityLevel: loose\n  secure: []\n  maxTextSize: 99999999\n---\nflowchart LR\n  A["<iframe src='javascript:${RUN}'></iframe>"]`,
    `flowchart LR\n  A:::x --> B\n  classDef x fill:url(https://elsewhere.example/x.svg),background-image:url(https://elsewhere.example/x.png)`,
    `flowchart LR\n  A["</foreignObject></svg><script>${RUN}</script>"]`,
    `flowchart LR\n  A@{ icon: "fa:fa-x</i><script>${RUN}</script>", label: "x" }`,
    `sequenceDiagram\n  participant A as <img src=x onerror=${RUN}>\n  A->>A: <script>${RUN}</script>\n  link A: x @ javascript:${RUN}`,
    `classDiagram\n  class A\n  link A "javascript:${RUN}" "x"\n  click A call eval("${RUN}")`,
    `stateDiagram-v2\n  s1 : <svg onload=${RUN}>\n  [*] --> s1`,
    `gantt\n  section <img src=x onerror=${RUN}>\n  A :a1, 2024-01-01, 3d\n  click a1 href "javascript:${RUN}"`,
    `mindmap\n  root((<img src=x onerror=${RUN}>))\n    x`,
    `pie title <img src=x onerror=${RUN}>\n  "</text><script>${RUN}</script>" : 3`,
    `__proto__\n  constructor`,
  ];

  it('runs nothing and loads nothing, neither in the page nor in its frame', async () => {
    const { allow, page } = await open();
    // Mermaid's sanitizer parses them in an inert document; Chromium reports policy violations even there.
    allow(/inline event handler|script-src-attr by inline/);
    for (const source of DIAGRAMS) {
      await showOn(page, diagram(source));
      await settled(page);
      await expectHarmless(page, source);
    }
  });

  it('with an external image is blocked by the policy of its frame', async () => {
    const { allow, page } = await open();
    allow(/elsewhere\.example/);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await showOn(page, diagram('flowchart LR\n  A@{ img: "https://elsewhere.example/x.png", label: "x" }'));
    await settled(page);
    expect(logged.some((line) => line.startsWith('Content-Security-Policy violated: img-src'))).toBe(true);
  });

  it('that is invalid, too large or too slow shows its source and the reason, while the page stays responsive', async () => {
    const page = await show(diagram('flowchart LR\n  A --> --> B'));
    await page.getByText('This diagram has an error').waitFor();
    await expect(page.locator('.diagram code').textContent()).resolves.toContain('A --> --> B');
    await showOn(page, diagram(`flowchart LR\n${'  A --> B\n'.repeat(3000)}`));
    await page.getByText('This diagram is too large to draw').waitFor();
    const edges = Array.from({ length: 20 }, (_, from) =>
      Array.from({ length: from }, (_, to) => `n${from}-->n${to}`).join('\n'),
    );
    // Not `showOn`: on a busy machine the diagram could be settled before that returns.
    const slow = diagram(`flowchart LR\n${edges.join('\n')}`);
    await page.evaluate(`showMarkdown({ content: ${JSON.stringify(slow)} })`);
    await page.getByText('Drawing the diagram').waitFor({ state: 'attached' });
    // Only a responsive page can do this before the diagram is done.
    await page.getByRole('button', { name: 'Source' }).click();
    await page.locator('.diagram code').waitFor();
    await page.getByRole('button', { name: 'Source' }).click();
    await settled(page);
    await expectAccessible(page, 'a diagram that was given up');
  });

  it('is drawn only when it scrolls into view', async () => {
    const one = (name: string) => diagram(`flowchart LR\n  ${name} --> B`);
    const far = 'Some text that takes its place.\n\n'.repeat(150);
    const page = await show(`${one('First')}\n\n${far}\n\n${one('Last')}`);
    // On a busy machine drawing can take longer than a reader would wait: then it is asked for again, as the page offers.
    await settled(page);
    const again = page.getByRole('button', { name: 'Try again' });
    if (await again.isVisible()) await again.click();
    await page.locator('.diagram').first().locator('img').waitFor({ timeout: 30_000 });
    await expect(page.locator('.diagram img').count()).resolves.toBe(1);
    await page.locator('.diagram').last().scrollIntoViewIfNeeded();
    await page.locator('.diagram').last().locator('img').waitFor();
  });
});

describe('a text that would block the page', () => {
  const MEBIBYTE = 1024 * 1024;
  const of = (unit: string, length = MEBIBYTE) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  it.each([
    ['100,000 quotes in each other', of('>', 100_000), /nested too deeply/],
    ['a mebibyte of quotes', of('>'), /nested too deeply/],
    ['a mebibyte of list markers', of('- '), /nested too deeply/],
    ['emphasis that does not end', of('*a_', 64 * 1024), /takes too long|could not be read/, true],
    ['a quarter of a mebibyte of list items', of('- a\n', MEBIBYTE / 4), /takes too long|too many elements/],
    ['a quarter of a mebibyte of brackets', of('[', MEBIBYTE / 4), /takes too long|could not be read/, true],
  ])(
    'such as %s is shown as its source, while the page stays responsive',
    async (_what, content, why, isForwarded = false) => {
      const page = isForwarded ? await pageWithClock() : await show('');
      await page.evaluate(`showMarkdown({ content: ${JSON.stringify(content)} })`);
      if (isForwarded) {
        // The texts above wait for the parser's timeout; waiting once more would only keep the processor busy.
        await page.locator('.markdown[aria-busy=true]').waitFor();
        await page.clock.fastForward(15_000);
      }
      await page.getByText(why).waitFor({ timeout: 30_000 });
      await expect(page.locator('.plain-source').textContent()).resolves.toBe(content);
      const range = await selectText(page, content.slice(0, 10));
      expect(range).toEqual({ start: 0, end: content.slice(0, 10).trimEnd().length });
    },
  );

  it('keeps the page responsive while it is parsed', async () => {
    const page = await show('');
    await page.evaluate(`showMarkdown({ content: ${JSON.stringify(of('*a_'))} })`);
    await page.locator('.markdown[aria-busy=true]').waitFor();
    await showOn(page, 'another text');
    await page.getByText('another text').waitFor();
  });

  it.each([
    ['short but slow', of('*a_', 8192)],
    ['long runs of backticks', of('`')],
    ['one word without end', of('x')],
    ['a line of code without end', `\`\`\`js\n${of('(', 40_000)}\n\`\`\``],
    ['a comment that is a bomb', of('](', 8192)],
  ])('or might, such as %s, is either rendered or shown as source', async (_what, content) => {
    const page = await show('');
    await showOn(page, content);
    await expect(page.locator('.markdown[aria-busy=false]').count()).resolves.toBe(1);
    await showOn(page, { content, short: true });
    await expect(page.locator('.markdown-text').count()).resolves.toBe(1);
  });

  it('is accessible when it is shown as its source', async () => {
    const page = await show(`# Title\n\n${of('> ', 500)} deep`);
    await page.getByText('nested too deeply').waitFor();
    await expectAccessible(page, 'a text as its source');
  });
});

it('a long ordinary text is complete, and its last heading can be reached', async () => {
  const section = (number: number) =>
    `## Part ${number}\n\nSome **text** with \`code\`, [a link](https://a.example) and words.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| ${number} | x |\n\n\`\`\`ts\nconst part = ${number};\n\`\`\`\n\n${'Ordinary words follow each other. '.repeat(20)}\n\n`;
  let content = '';
  for (let number = 1; content.length < 256 * 1024; number++) content += section(number);
  const last = content.match(/## Part \d+/g)!.length;
  const page = await show(content);
  await page.locator(`#section-part-${last}`).scrollIntoViewIfNeeded();
  await page.locator('.code-keyword').last().waitFor();
  const start = content.lastIndexOf(`Part ${last}`);
  const words = `Part ${last}`;
  await expect(selectText(page, words)).resolves.toEqual({ start, end: start + words.length });
});

describe('the diagram frame', () => {
  it('can only be framed by our pages and run our scripts', async () => {
    const reply = await fetch(`${url}/mermaid-frame.html`);
    const policy = reply.headers.get('content-security-policy')!;
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ])
      expect(policy).toContain(part);
    expect(policy).not.toMatch(/connect-src|unsafe-eval|allow-same-origin|https?:/);
    expect(reply.headers.get('x-frame-options')).toBe('SAMEORIGIN');
    const script = /src="(\/mermaid-frame\/[^"]+)"/.exec(await reply.text())![1]!;
    expect((await fetch(url + script)).headers.get('access-control-allow-origin')).toBe('*');
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    const main = /src="(\/assets\/[^"]+)"/.exec(await page.text())![1]!;
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect((await fetch(url + main)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('has no origin: it cannot reach the page around it, its cookies or the network', async () => {
    const { allow, page } = await open();
    // The browser reports the attempts below.
    allow(/Content.Security.Policy|request failed|Blocked a frame|sandbox/i);
    await page.locator('.diagram').scrollIntoViewIfNeeded();
    await page.locator('.diagram img').waitFor({ timeout: 30_000 });
    const frame = page.frames().find((one) => one.url().endsWith('/mermaid-frame.html'))!;
    const attempt = (code: string) =>
      frame.evaluate(
        `(async () => { try { return await (${code}); } catch (error) { return 'refused: ' + error.name; } })()`,
      );
    await expect(frame.evaluate('origin')).resolves.toBe('null');
    for (const code of [
      'parent.document.title',
      'document.cookie',
      'localStorage.length',
      `fetch('/api/v2/session')`,
    ])
      await expect(attempt(code), code).resolves.toMatch(/^refused/);
  });
});
