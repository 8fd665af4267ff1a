/** A new user gets from an empty folder to a first plan, posted with their own key, using only the pages. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endProcesses, startService } from '../helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../helpers/processes/real-processes.ts';
import { expectAccessible, startBrowser } from './browser.ts';

const { newPerson } = await startBrowser();

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

const OWNER = { name: 'Ada Lovelace', email: 'ada@engine.example', password: 'correct horse battery staple' };

describe('a new user', () => {
  it('gets from `serve` in an empty folder to a first plan, posted by curl with their own key', async () => {
    const cwd = temporaryFolder();
    const service = await startService({ cwd, env: { DATA_DIR: join(cwd, 'data') } });
    const [, link] = await service.until(/Set it up \(works once\): {2}(\S+)/);
    const { context, page } = await newPerson(service.url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });

    await page.goto('/');
    await page.getByText('Open the setup link that the service printed').waitFor();
    await page.goto(link!);
    await page.getByLabel('Organization').fill('Analytical Engines');
    expect(page.url(), 'the token has left the address bar').toBe(`${service.url}/setup`);
    await page.getByLabel('Email').fill('not an address');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create organization' }).click();
    for (const [label, says] of [
      ['Your name', /required/],
      ['Email', /email address/],
      ['Password', /8/],
    ] as const) {
      const field = page.getByLabel(label);
      await expect.poll(() => field.getAttribute('aria-invalid'), { message: label }).toBe('true');
      const ids = (await field.getAttribute('aria-describedby'))!.split(' ');
      await expect(page.locator(`[id="${ids.at(-1)}"]`).textContent()).resolves.toMatch(says);
    }
    await expect(page.getByLabel('Organization').inputValue()).resolves.toBe('Analytical Engines');
    await expectAccessible(page, 'setup with errors at its fields');
    await page.getByLabel('Your name').fill(OWNER.name);
    await page.getByLabel('Email').fill(OWNER.email);
    await page.getByLabel('Password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Create organization' }).click();

    await page.getByRole('heading', { name: `Welcome, ${OWNER.name}` }).waitFor();
    for (const [name, path] of [
      ['Add repository', '/repositories'],
      ['Open pull request', '/pull-requests'],
    ] as const)
      await expect(page.getByRole('link', { name }).getAttribute('href')).resolves.toBe(path);
    await page.getByRole('link', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name').fill('my laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Copy: Try it with curl' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const line = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await expect(page.getByRole('dialog').getByText(line, { exact: true }).isVisible()).resolves.toBe(true);

    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Waiting for your first plan').waitFor();
    await expectAccessible(page, 'first steps');
    await page.getByRole('button', { name: 'Skip: Invite your team' }).click();
    await page.getByRole('button', { name: 'Show again: Invite your team' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show again: Invite your team' }).press('Enter');
    await page.getByRole('button', { name: 'Skip: Invite your team' }).waitFor();
    // An agent connects with the key: the open page says so without a reload.
    await page.getByText('Waiting for your agent').waitFor();
    const [apiKey] = /csk_\w+/.exec(line)!;
    const clientInfo = { name: 'claude-code', version: '2.1' };
    await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      }),
    });
    await page.getByRole('status').filter({ hasText: 'Connected: claude-code' }).waitFor();
    await expect(page.getByText('Waiting for your agent').count()).resolves.toBe(0);
    const curl = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    expect(curl.stdout, `${line}\n${curl.stderr}`).toMatch(/^HTTP\/1\.1 201 /);
    // The open page polls for the first plan: it appears without a reload.
    await page
      .getByRole('list', { name: 'Recently updated plans' })
      .getByText('Cache the product list')
      .waitFor();

    const second = await newPerson(service.url);
    await second.page.goto(link!);
    await second.page.getByRole('heading', { name: 'Already set up' }).waitFor();
    await second.page.getByRole('link', { name: 'Sign in' }).click();
    await second.page.getByLabel('Password').waitFor();
    // Open pages keep polling, so they are closed before the service stops.
    await Promise.all([context.close(), second.context.close()]);
    await service.stop();

    const again = await startService({ cwd, env: { DATA_DIR: join(cwd, 'data') } });
    expect(again.stdout(), 'no setup link is offered again').not.toContain('Set it up');
    await again.stop();
  });
});
