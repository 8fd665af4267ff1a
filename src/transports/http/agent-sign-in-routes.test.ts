/** Every agent sign-in request gets a reply, even when its handler fails. */
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import type { AgentSignIn } from '../../platform/core/ports/agent-sign-in.ts';
import { createLog } from '../../platform/core/telemetry/log.ts';
import { addAgentSignIn } from './agent-sign-in-routes.ts';
import { BytesInFlight } from './bytes-in-flight.ts';
import type { ServerParts } from './types.ts';

const lines: string[] = [];
const failing: AgentSignIn = {
  routes: [
    { method: 'GET', path: '/early', anyOrigin: true },
    { method: 'GET', path: '/late', anyOrigin: true },
  ],
  async handle({ request, response }) {
    if (request.url === '/late') response.writeHead(200).write('the first half');
    throw new Error('the cause');
  },
};
const server = fastify();
await server.register(cookie);
const site = { baseUrl: 'http://127.0.0.1' };
const log = createLog({
  level: 'info',
  terminal: false,
  destination: { write: (line) => void lines.push(line) },
});
const rules = { authenticate: {} as never, rateLimit: undefined, site };
const inFlight = new BytesInFlight(1024);
await addAgentSignIn(server, { agentSignIn: failing, site, log, inFlight } as ServerParts<unknown>, rules);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => server.close());

it('replies with an error and logs the cause', async () => {
  const response = await fetch(`${url}/early`);
  expect([response.status, await response.json()]).toEqual([500, { error: 'server_error' }]);
  expect(lines.join('')).toContain('the cause');
});

it('aborts a reply that had started, so that it is not mistaken for complete', async () => {
  await expect(fetch(`${url}/late`).then((response) => response.text())).rejects.toThrow();
});
