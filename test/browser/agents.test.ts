/** Settings → Agents: how to connect one, which are signed in, and immediate revocation. */
import { describe, expect, it } from 'vitest';
import type { Person } from '../helpers/service/factories.ts';
import { callWith, newClient, signInAgent } from '../oauth/agent.ts';
import { startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { acme } = service;

/** Allows an agent, and returns a function that calls the service as that agent. */
async function letIn(person: Person, name: string): Promise<{ use(): Promise<number> }> {
  const client = await newClient(service.url, { client_name: name });
  const { tokens } = await signInAgent(service, person, client);
  return { use: () => callWith(service.url, tokens.access_token) };
}

it('opens with g and t, and shows the URL and a command to copy for each agent', async () => {
  const { context, page } = await newPerson(service.url, { as: acme.viewer });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  await page.goto('/');
  await untilLoaded(page, /Welcome/);
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await untilLoaded(page, 'Agents');
  await page.getByText('No agents yet').waitFor();
  const mcp = `${service.url}/mcp`;
  await expect(page.getByLabel('MCP URL', { exact: true }).inputValue()).resolves.toBe(mcp);
  for (const [tab, label, text] of [
    ['Claude Code', 'In a terminal', `claude mcp add --scope user --transport http countersign ${mcp}`],
    ['Codex', 'In a terminal', `codex mcp add countersign --url ${mcp}`],
    [
      'Other agents and CI',
      'With an API key',
      `claude mcp add --scope user --transport http countersign ${mcp} --header "x-api-key: csk_…"`,
    ],
    ['Cursor', 'In ~/.cursor/mcp.json', undefined],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('button', { name: `Copy: ${label}` }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
    if (text) expect(copied).toBe(text);
    else expect(JSON.parse(copied)).toEqual({ mcpServers: { countersign: { url: mcp } } });
  }
});

describe('signed-in agents', () => {
  it('are listed with their last use; revoking one by name takes effect immediately and spares the others', async () => {
    const kept = await letIn(acme.member, 'Cursor');
    const lost = await letIn(acme.member, 'Claude Code');
    await expect(lost.use()).resolves.toBe(204);
    await service.flush();
    const { page } = await newPerson(service.url, { as: acme.member });
    await page.goto('/settings/agents');
    await page.getByRole('row', { name: /Cursor.*just now.*Never/ }).waitFor();
    await page.getByRole('row', { name: /Claude Code.*just now.*(just now|1 minute ago)/ }).waitFor();
    await page.getByRole('button', { name: 'Revoke Claude Code' }).click();
    await page.getByRole('dialog', { name: 'Revoke Claude Code?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(lost.use()).resolves.toBe(204);
    await page.getByRole('button', { name: 'Revoke Claude Code' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Claude Code revoked').first().waitFor();
    await page.getByRole('row', { name: /Claude Code/ }).waitFor({ state: 'detached' });
    await expect(lost.use()).resolves.toBe(401);
    await expect(kept.use()).resolves.toBe(204);

    const owner = await newPerson(service.url, { as: acme.owner });
    await owner.page.goto('/settings/audit?action=agent.revoked');
    await owner.page.getByText('revoked the agent Claude Code').waitFor();
    await owner.page.getByLabel('Action').selectOption('Agent signed in');
    await owner.page.getByText('allowed the agent Claude Code').waitFor();
  });

  it('that cannot be loaded or revoked show the error and stay unchanged', async () => {
    await letIn(acme.admin, 'Codex');
    const { allow, page } = await newPerson(service.url, { as: acme.admin });
    allow(/ERR_FAILED/);
    await page.route('**/api/v2/agents*', (route) => route.abort(), { times: 1 });
    await page.goto('/settings/agents');
    await page.getByText('No connection').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /Codex/ }).waitFor();
    await page.route('**/api/v2/agents/*', (route) => route.abort());
    await page.getByRole('button', { name: 'Revoke Codex' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('row', { name: /Codex/ }).waitFor();
  });

  it('with hostile names are escaped in the list, the confirmation and the message', async () => {
    for (const name of [HOSTILE_TEXTS.slice(0, 5).join(''), HOSTILE_TEXTS[5]!, HOSTILE_TEXTS[6]!])
      await letIn(acme.owner, name);
    const { page } = await newPerson(service.url, { as: acme.owner, phone: true });
    await page.goto('/settings/agents');
    await page.getByRole('row', { name: /WWW/ }).waitFor();
    await expectHarmless(page, 'the list');
    await page.getByRole('button', { name: 'Revoke WWW' }).click();
    await page.getByRole('dialog').waitFor();
    await expectHarmless(page, 'the question');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page
      .getByText(/W… revoked/)
      .first()
      .waitFor();
    await expectHarmless(page, 'the message');
  });
});
