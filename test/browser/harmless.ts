/** Hostile text, and checks that it did no harm. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const HOSTILE_TEXTS = [
  '<img src=x onerror="globalThis.pwned=1">',
  '"><script>globalThis.pwned=1</script>',
  'javascript:globalThis.pwned=1',
  `' onmouseover='globalThis.pwned=1' x="`,
  '{{constructor.constructor("globalThis.pwned=1")()}}',
  'safe \u202Egnp.exe\u2066 \u200F\u061C end',
  'W'.repeat(190),
  '__proto__',
];

const MADE_FROM_TEXT = [
  'main img:not([src="/icon.svg"], [src^="data:image/"])',
  'body script',
  'object',
  '[onerror]',
  '[onmouseover]',
  'a[href^="javascript:"]',
].join(', ');

/** No script ran, no element was created from text, and the page is no wider than its window. */
export async function expectHarmless(page: Page, where: string): Promise<void> {
  await expect(page.evaluate('globalThis.pwned'), `nothing ran on ${where}`).resolves.toBeUndefined();
  const foreign = page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(MADE_FROM_TEXT)})].map((node) => node.outerHTML)`,
  );
  await expect(foreign, `no element was made from text on ${where}`).resolves.toEqual([]);
  const width = page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  await expect(width, `${where} is not torn apart`).resolves.toBeLessThanOrEqual(0);
}
