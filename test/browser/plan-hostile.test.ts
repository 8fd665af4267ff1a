/** Everything that agents and people write into a plan is escaped: nothing in it runs, loads or breaks the layout. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeOrganization, makePerson, makeUser } from '../helpers/service/factories.ts';
import { startBrowser, startServiceWithPages } from './browser.ts';
import { doToPlan, postComment, postPlan, postVersion } from './plan-samples.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();

const RUN = 'globalThis.pwned=1';
const ATTACKS = [
  `<img src=x onerror="${RUN}">`,
  `"><script>${RUN}</script>`,
  `<svg onload="${RUN}"><script>${RUN}</script><foreignObject><body onload="${RUN}"></foreignObject></svg>`,
  `<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
  `[press me](javascript:${RUN})`,
  `[tab](java\tscript:${RUN})`,
  `![image](x" onerror="${RUN})`,
  `![elsewhere](https://elsewhere.invalid/pixel.png)`,
  `<a href="javascript:${RUN}">link</a>`,
  `<style>* { display: none }</style>`,
  `<https://elsewhere.invalid/?q="onmouseover="${RUN}>`,
  '{{constructor.constructor("globalThis.pwned=1")()}}',
  'safe \u202Egnp.exe\u2066 \u200F end',
];
const DIAGRAMS = [
  `flowchart LR\n  A["<img src=x onerror='parent.${RUN}'>"] --> B\n  click A href "javascript:parent.${RUN}"`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\nflowchart LR\n  A["<script>parent.${RUN}</script>"]`,
];
const HOSTILE_PLAN = [
  `# Title ${ATTACKS[0]} ${ATTACKS[1]}`,
  ...ATTACKS,
  ...ATTACKS.slice(0, 5).map((attack) => `## ${attack}`),
  `| ${ATTACKS[0]} | b |\n| --- | --- |\n| ${ATTACKS[2]} | ${ATTACKS[4]} |`,
  ...ATTACKS.slice(0, 3).map((attack) => `- [ ] ${attack}`),
  ...DIAGRAMS.map((diagram) => `\`\`\`mermaid\n${diagram}\n\`\`\``),
  `\`\`\`html" onmouseover="${RUN}\n${ATTACKS[1]}\n\`\`\``,
  'W'.repeat(300),
].join('\n\n');

async function expectHarmless(page: Page, where: string, width: number): Promise<void> {
  await expect(page.evaluate('globalThis.pwned'), `nothing ran on ${where}`).resolves.toBeUndefined();
  const foreign = await page.evaluate(
    `[...document.querySelectorAll('img:not([src="/icon.svg"], .diagram img[src^="data:image/svg+xml,"]), body script, iframe:not([sandbox="allow-scripts"]), object, embed, base, form[action], [onerror], [onload], [onmouseover], a[href^="javascript:"], svg script, main style')].map((node) => node.outerHTML.slice(0, 200))`,
  );
  expect(foreign, `no element was made from text on ${where}`).toEqual([]);
  await expect(
    page.evaluate('document.documentElement.scrollWidth'),
    `${where} is not torn apart`,
  ).resolves.toBeLessThanOrEqual(width);
}

/** Diagrams are drawn when they scroll into view. */
async function untilDrawn(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  for (const diagram of await page.locator('figure.diagram').filter({ visible: true }).all()) {
    await diagram.scrollIntoViewIfNeeded();
    await diagram.locator('img, .why').first().waitFor();
  }
}

describe.each([
  ['on a desk', false],
  ['on a phone', true],
])('hostile text %s', (_where, phone) => {
  it('in a plan, its names, its comments and its notes is shown as text in every view', async () => {
    const now = service.clock.now();
    const name = ATTACKS.slice(0, 2).join('');
    const organization = await makeOrganization(service.db, phone ? 'Phone' : 'Desk', now);
    const user = await makeUser(service.db, { name, email: `hostile-${phone}@x.example` }, now);
    const attacker = await makePerson(service.db, organization.id, user, 'member', now);
    const more = { modelId: ATTACKS[0], repoNames: [ATTACKS[0], `acme/${'w'.repeat(200)}`] };
    const plan = await postPlan(service, attacker, HOSTILE_PLAN, more);
    const changed = HOSTILE_PLAN.replace('press me', 'press me harder').replace('safe', ATTACKS[1]!);
    const second = await postVersion(service, attacker, plan, changed);
    for (const attack of ATTACKS)
      await postComment(service, attacker, second, attack, { on: 'press me harder' });
    await postComment(
      service,
      attacker,
      plan,
      DIAGRAMS.map((one) => `\`\`\`mermaid\n${one}\n\`\`\``).join('\n'),
    );
    await postComment(service, attacker, plan, 'free', { anchor: ATTACKS[0] });
    await doToPlan(service, organization.owner, second, 'request-changes', {
      versionId: second.versionId,
      note: ATTACKS.join('\n'),
    });
    await doToPlan(service, organization.owner, second, 'review-requests', { userIds: [user.id] });
    await doToPlan(service, organization.owner, second, 'pull-requests', {
      prNumber: 1,
      repoName: ATTACKS[1],
    });

    const width = phone ? 390 : 1280;
    const { allow, page } = await newPerson(service.url, { phone, as: organization.admin });
    // The policy of the diagram frame, which has no origin, blocks scripts in diagrams.
    allow(/script-src-attr|inline event handler violates .*'script-src 'self''/);
    for (const view of [
      '',
      '?version=1',
      '?view=changes&compare=1',
      '?view=source&compare=1',
      '?view=activity',
    ]) {
      await page.goto(`/plans/${plan.seriesId}${view}`);
      await page.locator('[data-source-view], table, ol').first().waitFor();
      await untilDrawn(page);
      await expectHarmless(page, view || 'the plan', width);
    }
    await page.goto(`/plans/${plan.seriesId}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menu').waitFor();
    await expectHarmless(page, 'its menu', width);
    await page.keyboard.press('Escape');
    await page.locator('mark', { hasText: 'press me harder' }).first().click();
    await page.locator('[data-active=true]').filter({ visible: true }).first().waitFor();
    await expectHarmless(page, 'an open thread', width);
  });
});
