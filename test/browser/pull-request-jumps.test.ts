/** A click in the tree of a pull request's files ends with that file at the top, whatever is between the files. */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, startServiceWithPages } from './browser.ts';
import { type SamplePullRequest, samplePullRequest } from './sample-pull-request.ts';
import { LOCAL_ALLOWED } from './sample-repository.ts';

const service = await startServiceWithPages(LOCAL_ALLOWED);
const { newPerson } = await startBrowser();
const { acme } = service;

const FILES = 160;
const LINES = 40;

const generatedFile = fc.record({
  kind: fc.constantFrom('text', 'text', 'text', 'image', 'folded', 'new'),
  /** How long its lines are, and of what: lines of many letters, tabs or wide characters wrap. */
  widths: fc.array(fc.constantFrom(10, 60, 150, 700), { minLength: 1, maxLength: 4 }),
  letters: fc.constantFrom('word ', 'x', '\t', '漢字', '🙂 '),
  changed: fc.uniqueArray(fc.nat(LINES - 1), { minLength: 1, maxLength: 8 }),
  hasThread: fc.constantFrom(false, false, false, false, true),
});
type GeneratedFile = ReturnType<typeof generatedFile.generate>['value'];

const files = fc.sample(generatedFile, { numRuns: FILES, seed: 9 });
const EXTENSIONS = { text: 'ts', new: 'ts', image: 'png', folded: 'min.js' } as Record<string, string>;
const pathOf = (index: number) => `all/${String(index).padStart(3, '0')}.${EXTENSIONS[files[index]!.kind]}`;

function contentOf({ changed, kind, letters, widths }: GeneratedFile, isAfter: boolean): string {
  if (kind === 'image') return `\u0000${isAfter}`;
  return Array.from({ length: LINES }, (_, line) => {
    const width = widths[line % widths.length]!;
    const word = isAfter && changed.includes(line) ? 'after' : 'before';
    return `${word} ${line} ${letters.repeat(width).slice(0, width)}\n`;
  }).join('');
}

let page: Page;
let pullRequest: SamplePullRequest;
let lastThread = { id: '', file: 0 };

beforeAll(async () => {
  const all = files.map((file, index) => ({ ...file, index }));
  pullRequest = await samplePullRequest(service, {
    title: 'Change everything',
    before: Object.fromEntries(
      all.filter(({ kind }) => kind !== 'new').map((file) => [pathOf(file.index), contentOf(file, false)]),
    ),
    after: Object.fromEntries(all.map((file) => [pathOf(file.index), contentOf(file, true)])),
  });
  for (const { changed, hasThread, index, kind } of all) {
    if (!hasThread || kind !== 'text') continue;
    const { id } = await pullRequest.post(acme.owner, 'discussions', {
      file: pathOf(index),
      startLine: changed[0]! + 1,
      body: 'Why?\n\n'.repeat(1 + (index % 5)),
    });
    lastThread = { id: String(id), file: index };
  }
  ({ page } = await newPerson(service.url, { as: acme.admin, kept: true }));
  await page.goto(`/pull-requests/${pullRequest.id}?view=files`);
  await page.locator('.diff-line').first().waitFor();
});

/** Clicks a file in the tree, of which only the rows in view exist. */
const choose = (index: number) =>
  page.evaluate(`(async () => {
    const tree = document.querySelector('[aria-label="Changed files"]');
    const find = () => tree.querySelector('button[title="${pathOf(index)}"]');
    for (tree.scrollTo(0, ${index - 5} * 28); !find(); ) await new Promise(requestAnimationFrame);
    find().click();
  })()`);

/** Turns the wheel until the page has scrolled: a click made by a script would overtake it. */
async function scroll(by: number): Promise<void> {
  // Only the second script waits for the promise, so the first has added the listener when it returns.
  await page.evaluate(`void (globalThis.turned = new Promise((done) => {
    addEventListener('wheel', () => done(), { once: true, passive: true });
  }))`);
  await page.mouse.wheel(0, by);
  await page.evaluate('globalThis.turned');
  await page.evaluate(`(async () => {
    for (let calm = 0, before = -1; calm < 6; before = scrollY) {
      await new Promise(requestAnimationFrame);
      calm = scrollY === before ? calm + 1 : 0;
    }
  })()`);
}

/** Clicks the first such thing in the window, if there is one. */
const press = (selector: string) =>
  page.evaluate(`[...document.querySelectorAll('.diff ${selector}')].find((each) => {
    const { bottom, top } = each.getBoundingClientRect();
    return top > 48 && bottom < innerHeight;
  })?.click()`);

const step = fc.oneof(
  fc.record({ act: fc.constant('choose' as const), index: fc.nat(FILES - 1) }),
  fc.record({ act: fc.constant('scroll' as const), by: fc.integer({ min: -3000, max: 3000 }) }),
  fc.record({
    act: fc.constant('press' as const),
    what: fc.constantFrom(
      '[aria-label^="Show "][aria-label$="unchanged lines"]',
      '[aria-label="Hide the file"]',
      '[aria-label="Show the file"]',
      '[data-action="reply"]',
    ),
  }),
);

/** Where a file's header is when nothing is loading and nothing has moved for some frames, in pixels below the bar. */
const restingPlaceOf = (index: number) =>
  page.evaluate(`(async () => {
    const list = document.querySelector('.diff');
    for (let calm = 0, before = ''; calm < 6; ) {
      await new Promise(requestAnimationFrame);
      const now = [scrollY, list.offsetHeight, list.textContent.includes('Loading…')].join();
      calm = now === before && now.endsWith('false') ? calm + 1 : 0;
      before = now;
    }
    const header = document.querySelector('section[aria-label="${pathOf(index)}"] header');
    return header ? Math.round(header.getBoundingClientRect().top) - 48 : 'not on the page';
  })()`);

describe('a jump in the files of a pull request', () => {
  it('ends with the file at the top that was clicked last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 3 }), fc.nat(FILES - 1), async (steps, last) => {
        for (const each of steps)
          if (each.act === 'choose') await choose(each.index);
          else if (each.act === 'scroll') await scroll(each.by);
          else await press(each.what);
        await choose(last);
        expect(await restingPlaceOf(last)).toBeOneOf([0, 1, 2]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 180_000);

  it('keeps a file or a discussion that the address names in place, until the person scrolls', async () => {
    await page.goto(`/pull-requests/${pullRequest.id}?view=files&path=${pathOf(FILES - 1)}`);
    await page.locator(`section[aria-label="${pathOf(FILES - 1)}"]`).waitFor();
    expect(await restingPlaceOf(FILES - 1)).toBeOneOf([0, 1, 2]);
    await page.mouse.move(900, 500);
    await page.mouse.wheel(0, -500);
    await page.waitForFunction(
      `document.querySelector('section[aria-label="${pathOf(FILES - 1)}"]').getBoundingClientRect().top > 400`,
    );

    await page.goto(`/pull-requests/${pullRequest.id}?view=files&discussion=${lastThread.id}`);
    const card = page.locator(`[data-discussion="${lastThread.id}"]`);
    await card.waitFor();
    await restingPlaceOf(lastThread.file);
    const { height, y } = (await card.boundingBox())!;
    const middle = y + height / 2;
    expect(middle).toBeGreaterThan(400);
    expect(middle).toBeLessThan(500);
  });
});
