/** Hostile text, and checks that it did no harm. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const RUN = 'globalThis.pwned=1';

/** For names, titles and other short texts. */
export const HOSTILE_TEXTS = [
  `<img src=x onerror="${RUN}">`,
  `"><script>${RUN}</script>`,
  `javascript:${RUN}`,
  `' onmouseover='${RUN}' x="`,
  `{{constructor.constructor("${RUN}")()}}`,
  'safe \u202Egnp.exe\u2066 \u200F\u061C end',
  'W'.repeat(190),
  '__proto__',
  `Z${'\u0310\u0334\u0347'.repeat(40)}`,
];

const ATTACKS = [
  ...HOSTILE_TEXTS.slice(0, 6),
  `<svg onload="${RUN}"><script>${RUN}</script><foreignObject><body onload="${RUN}"></foreignObject></svg>`,
  '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  `[press me](javascript:${RUN})`,
  `[tab](java\tscript:${RUN})`,
  `![image](x" onerror="${RUN})`,
  '![elsewhere](https://elsewhere.invalid/pixel.png)',
  `<a href="javascript:${RUN}">link</a>`,
  '<style>* { display: none }</style>',
  `<https://elsewhere.invalid/?q="onmouseover="${RUN}>`,
];
const DIAGRAMS = [
  `flowchart LR\n  A["<img src=x onerror='parent.${RUN}'>"] --> B\n  click A href "javascript:parent.${RUN}"`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<script>parent.${RUN}</script>"]`,
];
/** For plans, descriptions, comments and files: every part of Markdown that takes text. */
export const HOSTILE_MARKDOWN = [
  `# Title ${ATTACKS[0]} ${ATTACKS[1]}`,
  ...ATTACKS,
  ...ATTACKS.slice(0, 5).map((attack) => `## ${attack}`),
  `| ${ATTACKS[0]} | b |\n| --- | --- |\n| ${ATTACKS[6]} | ${ATTACKS[8]} |`,
  ...ATTACKS.slice(0, 3).map((attack) => `- [ ] ${attack}`),
  `\`\`\`html" onmouseover="${RUN}\n${ATTACKS[1]}\n\`\`\``,
  'W'.repeat(300),
].join('\n\n');

export const HOSTILE_DIAGRAMS = DIAGRAMS.map((source) => `\n\n\`\`\`mermaid\n${source}\n\`\`\``).join('');

const MADE_FROM_TEXT = [
  'img:not([src="/icon.svg"], [src^="data:image/"])',
  'body script',
  'svg script',
  'main style',
  'iframe:not([sandbox="allow-scripts"])',
  'object',
  'embed',
  'base',
  'form[action]',
  '[onerror]',
  '[onload]',
  '[onmouseover]',
  'a[href^="javascript:"]',
].join(', ');

/** No script ran, no element was created from text, and the page is no wider than its window. */
export async function expectHarmless(page: Page, where: string): Promise<void> {
  const found = await page.evaluate(`({
    ran: 'pwned' in globalThis,
    made: [...document.querySelectorAll(${JSON.stringify(MADE_FROM_TEXT)})].map((node) => node.outerHTML.slice(0, 200)),
    isWider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  })`);
  expect(found, `what hostile text did on ${where}`).toEqual({ ran: false, made: [], isWider: false });
}
