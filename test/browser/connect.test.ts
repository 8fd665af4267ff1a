/** Allowing an agent in the browser: a clear question, answered once, for the person and organization that were shown. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { switchOrganization } from '../../src/features/accounts/sessions/switch-organization.ts';
import { makePerson, makeUser, type Person } from '../helpers/service/factories.ts';
import { withSession } from '../helpers/service/harness.ts';
import { tokenFrom } from '../helpers/service/sign-in-requests.ts';
import { callWith } from '../oauth/agent.ts';
import { type Agent, listenForCodes, newAgent } from './agent.ts';
import { type InBrowser, signIn, startBrowser, startServiceWithPages, untilLoaded } from './browser.ts';
import { eventually } from './eventually.ts';
import { expectHarmless, HOSTILE_TEXTS } from './harmless.ts';

const service = await startServiceWithPages();
const { newPerson } = await startBrowser();
const { origin, redirectUri, returned } = await listenForCodes();
const { acme, globex } = service;

const QUESTION = 'An agent requests access';
const ALLOW = `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Allow')`;
const OVER = 'This request has expired';

const ask = (name = 'Robot') => newAgent(service.url, { name, redirectUri });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens the consent page. Only the redirect to the agent leads to another origin. */
async function open(agent: Agent, options: Parameters<typeof newPerson>[1]): Promise<InBrowser> {
  const person = await newPerson(service.url, options);
  person.allow(new RegExp(`request elsewhere: ${origin}/`));
  await person.page.goto(agent.address);
  if (options?.as) await untilLoaded(person.page, QUESTION);
  return person;
}

async function untilReturned(page: Page, agent: Agent): Promise<URLSearchParams> {
  await page.getByRole('heading', { name: 'Back at the agent' }).waitFor();
  return returned(agent)!;
}

async function inTwoOrganizations(name: string): Promise<Person> {
  const now = service.clock.now();
  const user = await makeUser(service.db, { name, email: `${randomUUID()}@acme.example` }, now);
  await makePerson(service.db, globex.id, user, 'viewer', now);
  return makePerson(service.db, acme.id, user, 'member', now);
}

describe('allowing', () => {
  it('leads from the agent through sign-in to the consent page, and back with a valid code', async () => {
    const agent = await ask('Claude Code');
    const { page } = await open(agent, {});
    await untilLoaded(page, 'Sign in');
    await page.getByLabel('Email').fill(acme.member.email);
    await signIn(page, acme.member);
    await untilLoaded(page, QUESTION);
    await page.getByText('Claude Code', { exact: true }).waitFor();
    await page.getByText('not verified').waitFor();
    await page.getByText('A program on this computer').waitFor();
    await page.getByText(acme.member.email).waitFor();
    await page.getByText('Approve plans').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect(page.evaluate('document.activeElement.tagName'), 'nothing waits for Enter').resolves.toBe(
      'BODY',
    );
    await press(page, 'Allow');
    const code = (await untilReturned(page, agent)).get('code')!;
    const { body } = await agent.redeem(code);
    await expect(callWith(service.url, body.access_token)).resolves.toBe(204);
  });

  it('sends one answer for several clicks, none for a click meant for another window, and recovers from a lost reply', async () => {
    const agent = await ask();
    const { allow, page } = await open(agent, { as: acme.owner });
    allow(/ERR_FAILED/);
    let sent = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/answer')) sent += 1;
    });
    // Simulates a window that asked for a double click and closed after the first click.
    await page.evaluate(`(async () => {
      const allow = ${ALLOW};
      dispatchEvent(new Event('focus'));
      while (allow.ariaDisabled !== 'true') await new Promise(requestAnimationFrame);
      allow.click();
    })()`);
    await page.route('**/answer', (route) => route.fetch().then(() => route.abort()), { times: 1 });
    await press(page, 'Allow');
    await page.getByRole('alert').getByText('cannot be reached').waitFor();
    expect(returned(agent)).toBeUndefined();
    // Faster than the page can render the busy state.
    await page.getByRole('button', { name: 'Allow', exact: true }).click({ trial: true });
    await page.evaluate(`{ const allow = ${ALLOW}; allow.click(); allow.click(); }`);
    expect((await untilReturned(page, agent)).has('code')).toBe(true);
    expect(sent).toBe(2);
  });

  it('says that the window can be closed when the browser opens a program', async () => {
    const agent = await newAgent(service.url, {
      redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
    });
    const { allow, page } = await open(agent, { as: acme.owner });
    allow(/cursor:\/\//);
    await page.getByText('The program that opens cursor: links').waitFor();
    await page.getByText('A program on this computer').waitFor({ state: 'detached' });
    await page.getByText('Your computer decides which program opens cursor: links').waitFor();
    await press(page, 'Allow');
    await untilLoaded(page, 'Access allowed');
    await page.getByText('You can close this window').waitFor();
  });
});

it('denying, after switching to another account, notifies the agent and grants no access', async () => {
  const agent = await ask();
  const { page } = await open(agent, { as: globex.member });
  await page.getByRole('link', { name: 'Not you?' }).click();
  await signIn(page, acme.viewer);
  await page.getByText(acme.viewer.email).waitFor();
  await press(page, 'Deny');
  const answer = await untilReturned(page, agent);
  expect(answer.get('error')).toBe('access_denied');
  expect(answer.has('code')).toBe(false);
  await page.goto('/settings/agents');
  await page.getByText('No agents yet').waitFor();
});

describe('the organization', () => {
  it('can be selected by members of several, and the agent gets access only to that one', async () => {
    const agent = await ask('Chooser');
    const { page } = await open(agent, { as: await inTwoOrganizations('Rover') });
    const choice = page.getByLabel('Organization');
    await expect(choice.inputValue()).resolves.toBe(acme.id);
    await choice.selectOption('Globex');
    await eventually(() => choice.inputValue()).toBe(globex.id);
    await press(page, 'Allow');
    await untilReturned(page, agent).then((answer) => agent.redeem(answer.get('code')!));
    await page.goto('/settings/agents');
    await page.getByRole('row', { name: /Chooser/ }).waitFor();
    await page.getByRole('button', { name: /^Rover/ }).click();
    await page.getByRole('menuitem', { name: 'Acme' }).click();
    await untilLoaded(page, 'Welcome, Rover');
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByText('No agents yet').waitFor();
  });

  it('that another tab switched to meanwhile is shown before it can be allowed', async () => {
    const agent = await ask();
    const person = await inTwoOrganizations('Tabber');
    const { context, page } = await open(agent, { as: person });
    const switched = await service.call(
      switchOrganization,
      { organizationId: globex.id },
      withSession(person),
    );
    await context.addCookies([
      { name: 'countersign', value: tokenFrom(switched), url: service.url, httpOnly: true, sameSite: 'Lax' },
    ]);
    await press(page, 'Allow');
    await page.getByRole('alert').getByText('changed in another tab').waitFor();
    await eventually(() => page.getByLabel('Organization').inputValue()).toBe(globex.id);
    expect(returned(agent)).toBeUndefined();
    await press(page, 'Allow');
    expect((await untilReturned(page, agent)).has('code')).toBe(true);
  });
});

it('the link of a sign-in from another browser grants no access, even when it is allowed there', async () => {
  const agent = await ask('Lure');
  const attacker = await open(agent, { as: globex.owner });
  const victim = await newPerson(service.url, { as: acme.owner });
  for (const { allow } of [attacker, victim]) allow(/[45]\d\d: /);
  await victim.page.goto(attacker.page.url());
  await untilLoaded(victim.page, QUESTION);
  await press(victim.page, 'Allow');
  await victim.page.waitForURL('**/oauth/auth/**');
  await attacker.page.goto(attacker.page.url().replace('/connect/', '/oauth/auth/'));
  await victim.page.goto('/settings/agents');
  await untilLoaded(victim.page, 'Agents');
  await expect(victim.page.getByRole('row', { name: /Lure/ }).count()).resolves.toBe(0);
  expect(returned(agent)).toBeUndefined();
});

it('an unknown, answered or expired sign-in is explained; one that cannot be loaded can be retried', async () => {
  const agent = await ask();
  const { allow, page } = await open(agent, { as: acme.admin });
  allow(/ERR_FAILED/);
  const question = page.url();
  await page.goto('/connect/no-such-request');
  await untilLoaded(page, OVER);
  await page.route('**/agent-sign-ins/*', (route) => route.abort(), { times: 1 });
  await page.goto(question);
  await page.getByText('No connection').waitFor();
  await press(page, 'Try again');
  await press(page, 'Allow');
  await untilReturned(page, agent);
  await page.goto(question);
  await untilLoaded(page, OVER);

  const slow = await ask();
  await page.goto(slow.address);
  await untilLoaded(page, QUESTION);
  service.clock.advance(24 * 60 * 60 * 1000);
  await press(page, 'Allow');
  await untilLoaded(page, OVER);
  await page.getByText('Start the sign-in again in the agent').waitFor();
  expect(returned(slow)).toBeUndefined();
});

it('a hostile name is escaped and truncated, and cannot change the text direction', async () => {
  const { page } = await newPerson(service.url, { as: acme.owner, phone: true });
  const piled = `Z${'\u0310\u0334\u0347'.repeat(40)}`;
  for (const name of [HOSTILE_TEXTS.slice(0, 5).join(''), HOSTILE_TEXTS[5]! + piled, HOSTILE_TEXTS[6]!]) {
    await page.goto((await newAgent(service.url, { name })).address);
    await untilLoaded(page, QUESTION);
    await expectHarmless(page, name);
    const shown = (await page.locator('main').textContent())!;
    expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200F\u061C]|\p{M}{3}/u);
    expect(shown).not.toContain(name);
  }
});
