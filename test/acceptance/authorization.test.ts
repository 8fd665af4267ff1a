/** The authorization server scenarios of the official conformance suite, with a user who allows access in a browser. */
import { createInterface } from 'node:readline';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../helpers/processes/free-port.ts';
import { cleanUp } from '../helpers/processes/real-processes.ts';
import { startTestService } from '../helpers/service/harness.ts';
import { answer, Browser, begin, newClient } from '../oauth/agent.ts';
import { startSuite } from './suite-process.ts';

const service = await startTestService();
afterAll(cleanUp);

it('passes both, from the metadata to the token', async () => {
  const port = await freePort();
  const client = await newClient(service.url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const suite = startSuite([
    ...['authorization', '--url', service.url, '--resource', `${service.url}/mcp`],
    ...['--client-id', client.client_id, '--port', String(port)],
  ]);
  for await (const line of createInterface({ input: suite.process.stdout })) {
    if (!line.startsWith(`${service.url}/oauth/auth`)) continue;
    const browser = new Browser(service.acme.member);
    const answered = await answer(service, service.acme.member, await begin(browser, line));
    const back = await browser.get(answered.body.continueAt);
    await fetch(back.location!);
  }
  const checks = await suite.checks;
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    const found = checks.get(scenario)!.map(({ errorMessage, status }) => [status, errorMessage]);
    expect(found, scenario).toContainEqual(['SUCCESS', undefined]);
    expect(found.filter(([status]) => status === 'FAILURE')).toEqual([]);
  }
});
