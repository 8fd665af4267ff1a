/** `countersign doctor --mcp` as an operator runs it: a real process against a real service, and against other servers. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { endProcesses, runCountersign } from '../helpers/processes/countersign-process.ts';
import { cleanUp } from '../helpers/processes/real-processes.ts';
import { startTestService, withSession } from '../helpers/service/harness.ts';

vi.setConfig({ testTimeout: 60_000 });

const service = await startTestService();
const { key } = service.acme.member;

afterAll(async () => {
  await endProcesses();
  await cleanUp();
});

const doctor = (url: string, options: { words?: string[]; env?: Record<string, string> } = {}) =>
  runCountersign(['doctor', '--mcp', url, ...(options.words ?? [])], { env: options.env });

/** Another kind of server, on its own port. */
async function serveOther(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a healthy service', () => {
  it.each([
    ['--key', { words: ['--key', key] }],
    ['COUNTERSIGN_API_KEY', { env: { COUNTERSIGN_API_KEY: key } }],
  ])('passes every check with %s, and the key is never printed', async (_way, options) => {
    const { code, stderr, stdout } = await doctor(`${service.url}/mcp`, options);
    expect(`${code} ${stderr}`).toBe('0 ');
    expect(stdout).toMatch(/✓ The address responds/);
    expect(stdout).toContain(`${key.slice(0, 8)}…${key.slice(-4)} arrived as x-api-key`);
    expect(stdout).toMatch(/✓ MCP 2025-11-25 handshake works: countersign \d/);
    expect(stdout).toMatch(/✓ MCP 2026-07-28 discovery works: supports .*2026-07-28/);
    expect(stdout).toMatch(/✓ Tools are listed: \d+ tools: .*update_plan/);
    expect(stdout).toMatch(/All checks passed\.\n$/);
    expect(stdout).not.toContain(key);
  });

  it('passes without a key, and says what was skipped', async () => {
    const { code, stdout } = await doctor(service.url);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain('asks to sign in, as it should');
    expect(stdout).toContain('- Tools are listed: needs a key');
  });
});

describe('a problem', () => {
  it('with a revoked key is reported with what to do', async () => {
    const { keyId, key: revoked } = service.acme.admin;
    await service.request('DELETE', `/api/v2/api-keys/${keyId}`, { as: withSession(service.acme.admin) });
    const { code, stderr, stdout } = await doctor(service.url, { words: ['--key', revoked] });
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /✗ The credential is accepted: csk_\S+ arrived as x-api-key\. This key was revoked\./,
    );
    expect(stdout).toContain('Create a new key');
    expect(stderr).toMatch(/checks failed\n$/);
    expect(stdout + stderr).not.toContain(revoked);
  });

  it.each([
    [
      'http://127.0.0.1:4/mcp',
      /^✗ The address responds: nothing listens on 127\.0\.0\.1:4\n {4}Is the service running\?/,
    ],
    [
      'http://no-such-host.invalid/mcp',
      /^✗ The address responds: the host no-such-host\.invalid cannot be found\n/,
    ],
    [
      `${service.url.replace('http:', 'https:')}/mcp`,
      /^✗ The address responds: \S+ does not use TLS on this port\n {4}Try http:\/\/127\.0\.0\.1:\d+\/mcp\n$/,
    ],
  ])('with %s is explained with what to do', async (url, sentence) => {
    const { code, stdout } = await doctor(url, { words: ['--key', key] });
    expect(code).toBe(3);
    expect(stdout).toMatch(sentence);
  });

  it('is found at the exact address', async () => {
    const seen: (string | undefined)[] = [];
    const url = await serveOther((request, response) => {
      seen.push(request.url);
      response.end(request.url === '/healthz' ? 'alive' : '{}');
    });
    const { code } = await doctor(`${url}//mcp/`, { words: ['--key', key] });
    expect(code).toBe(3);
    expect(new Set(seen)).toContain('//mcp/');
    expect(seen).not.toContain('/mcp');
  });

  it('with another server is reported in the server’s words, without the key', async () => {
    const url = await serveOther((request, response) =>
      response.end(
        request.url === '/healthz' ? 'alive' : JSON.stringify({ detail: request.headers['x-api-key'] }),
      ),
    );
    const { code, stderr, stdout } = await doctor(url, { words: ['--key', key] });
    expect(code).toBe(3);
    expect(stdout).toContain('/mcp/doctor returns no report');
    expect(stdout + stderr).not.toContain(key);
  });

  it('never follows a redirect with the key', async () => {
    const seen: unknown[] = [];
    const elsewhere = await serveOther((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const url = await serveOther((_request, response) =>
      response.writeHead(302, { location: elsewhere }).end(),
    );
    const { code, stdout } = await doctor(url, { words: ['--key', key] });
    expect(code).toBe(3);
    expect(stdout).toContain(`it redirects to ${elsewhere}`);
    expect(seen).toEqual([]);
  });

  it('with an invalid address is a usage error', async () => {
    expect(await doctor('mcp')).toMatchObject({ code: 2, stdout: '' });
  });
});
