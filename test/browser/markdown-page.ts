/** A page that shows only Markdown, built and served like the app. */
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { build, loadConfigFromFile, type PluginOption } from 'vite';
import { afterAll, inject } from 'vitest';
import { startTestService } from '../helpers/service/harness.ts';
import { type InBrowser, type Look, startBrowser } from './browser.ts';

const WEB = join(import.meta.dirname, '..', '..', 'web');

export interface Shown {
  content: string;
  highlights?: { id: string; start: number; end: number; tone: string; label?: string }[];
  /** Rendered as a comment. */
  short?: boolean;
}

export interface MarkdownStage {
  url: string;
  /** Opens the page with its own sample. */
  open(look?: Look): Promise<InBrowser>;
  /** Opens the page with a text, or with the page's own sample, and waits until all of it is there. */
  show(shown: Shown | string | undefined, look?: Look): Promise<Page>;
  /** A page whose timers `page.clock` can bring forward: always the same one. */
  pageWithClock(): Promise<Page>;
}

/** Builds and serves it once for the calling test file. */
export async function startMarkdownPages(): Promise<MarkdownStage> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-markdown-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  await buildPage(folder);
  const { url } = await startTestService({ webAppFolder: folder });
  // The frame that draws diagrams gets a process of its own, as in a browser with few pages: drawing must not stall the page.
  const { newPerson } = await startBrowser([
    '--enable-features=IsolateSandboxedIframes',
    '--site-per-process',
  ]);
  const open = async (look?: Look, kept = false) => {
    const person = await newPerson(url, { ...look, kept });
    await person.page.goto('/');
    await untilReady(person.page);
    return person;
  };
  const openWithClock = async () => {
    const { page } = await newPerson(url, { kept: true, unused: true });
    await page.clock.install();
    await page.goto('/');
    await untilReady(page);
    return page;
  };
  let withClock: Promise<Page> | undefined;
  /** One page per theme and width: each text replaces the previous one. */
  const pages = new Map<string, Page>();
  return {
    url,
    open,
    pageWithClock() {
      withClock ??= openWithClock();
      return withClock;
    },
    async show(shown, look) {
      if (shown === undefined) return (await open(look)).page;
      const key = JSON.stringify(look ?? {});
      const page = pages.get(key) ?? (await open(look, true)).page;
      pages.set(key, page);
      // An earlier test may have changed it.
      await page.emulateMedia({ colorScheme: look?.dark ? 'dark' : 'light' });
      await showOn(page, shown);
      return page;
    },
  };
}

/** The diagram frame, which takes longer to build than the page, is the app's. */
async function buildPage(folder: string): Promise<void> {
  const { config } = (await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(WEB, 'vite.config.ts'),
  ))!;
  const plugins = (config.plugins ?? []).filter((plugin) => !isNamed(plugin, 'mermaid-frame'));
  const input = join(WEB, 'pages', 'dev', 'dev-markdown.html');
  await build({
    ...config,
    plugins,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, outDir: folder, rolldownOptions: { ...config.build?.rolldownOptions, input } },
  });
  await rename(join(folder, 'pages', 'dev', 'dev-markdown.html'), join(folder, 'index.html'));
  for (const part of ['mermaid-frame.html', 'mermaid-frame'])
    await cp(join(inject('webAppFolder'), part), join(folder, part), { recursive: true });
}

const isNamed = (plugin: PluginOption, name: string) =>
  !!plugin && typeof plugin === 'object' && 'name' in plugin && plugin.name === name;

/** Shows another text on the page that is open. */
export async function showOn(page: Page, shown: Shown | string): Promise<void> {
  const next = typeof shown === 'string' ? { content: shown } : shown;
  await page.evaluate(`showMarkdown(${JSON.stringify(next)})`);
  if (next.short) await page.locator('.markdown-text[aria-busy=false]').waitFor();
  else await untilReady(page);
}

/** Longer than the parser's timeout. */
function untilReady(page: Page): Promise<void> {
  return page.getByLabel('State').filter({ hasText: 'ready' }).waitFor({ timeout: 30_000 });
}

/** Selects from the first occurrence of one text to the end of another, and returns the source range. */
export async function selectText(
  page: Page,
  from: string,
  to = from,
): Promise<{ start: number; end: number } | undefined> {
  const found = await page.evaluate(
    `(([from, to]) => {
      const view = document.querySelector('[data-source-view]');
      const walker = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
      const nodes = [];
      let text = '';
      while (walker.nextNode()) {
        nodes.push({ node: walker.currentNode, at: text.length });
        text += walker.currentNode.data;
      }
      const first = text.indexOf(from);
      const last = text.indexOf(to, first) + to.length;
      if (first === -1 || last < first + to.length) return 'not shown: ' + text;
      const begin = nodes.findLast(({ at, node }) => at <= first && first < at + node.data.length);
      const end = nodes.find(({ at, node }) => at < last && last <= at + node.data.length);
      getSelection().setBaseAndExtent(begin.node, first - begin.at, end.node, last - end.at);
      return selectionToSource(getSelection());
    })(${JSON.stringify([from, to])})`,
  );
  if (typeof found === 'string') throw new Error(found);
  return found as { start: number; end: number } | undefined;
}
