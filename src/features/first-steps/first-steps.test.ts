/** The first steps over HTTP and MCP: which agent called first, for whom, and what a person skipped. */
import { expect, it } from 'vitest';
import type { Person } from '../../../test/helpers/service/factories.ts';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { getFirstSteps } from './get-first-steps.ts';
import { skipFirstStep } from './skip-first-step.ts';

const service = await startTestService();
const { acme, globex } = service;

const read = async (person: Person) => (await service.call(getFirstSteps, {}, withSession(person))).body;

const call = (key: string, message: Record<string, unknown>) =>
  service.request('POST', '/mcp', {
    body: { jsonrpc: '2.0', id: 1, ...message },
    headers: { 'x-api-key': key, accept: 'application/json, text/event-stream' },
  });
const initialize = (key: string, name: string) =>
  call(key, {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
  });

it('records the first agent of a person, and no program of our own', async () => {
  expect(await read(acme.member)).toEqual({ agent: null, skipped: [] });
  await initialize('csk_unknown', 'codex');
  for (const own of ['countersign-cli', 'countersign-doctor']) await initialize(acme.member.key, own);
  await call(acme.member.key, { method: 'tools/list' });
  expect((await read(acme.member)).agent).toBeNull();
  const at = service.clock.now().getTime();
  expect((await initialize(acme.member.key, 'claude-\ncode')).status).toBe(200);
  const { agent } = await read(acme.member);
  expect(agent.name).toBe('claude- code');
  expect(Date.parse(agent.connectedAt)).toBeGreaterThanOrEqual(at);
  await initialize(acme.member.key, 'cursor');
  expect((await read(acme.member)).agent).toEqual(agent);
  for (const other of [acme.admin, globex.member]) expect((await read(other)).agent).toBeNull();
});

it('reads the name from a request of the newer protocol, and from two nodes at once only one', async () => {
  const named = (name: string) =>
    call(acme.viewer.key, {
      method: 'tools/list',
      params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } } },
    });
  await Promise.all(['codex', 'codex', 'codex'].map(named));
  expect((await read(acme.viewer)).agent.name).toBe('codex');
});

it('skips steps and shows them again, for the caller alone', async () => {
  const change = (step: string, skipped: unknown) =>
    service.call(skipFirstStep, { step, skipped }, withSession(acme.owner));
  await Promise.all(['team', 'plan', 'team'].map((step) => change(step, true)));
  expect((await read(acme.owner)).skipped).toEqual(['plan', 'team']);
  expect((await change('plan', false)).body).toEqual({ agent: null, skipped: ['team'] });
  expect((await read(acme.admin)).skipped).toEqual([]);
  expect((await change('dance', true)).status).toBe(400);
});
