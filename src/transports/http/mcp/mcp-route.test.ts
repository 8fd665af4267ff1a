/** `/mcp` over HTTP: methods, content types, origins and browsers. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { rawRequest, sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import type { Context } from '../../../context.ts';
import { operations } from '../../../operations.ts';
import type { Tool } from '../../mcp/tool.ts';

/** A tool that runs any operation by name, as a faulty tool might. */
const runAny: Tool<Context> = {
  listed: { name: 'run_any', inputSchema: { type: 'object' } },
  async call({ operation: name, input }, { call }) {
    const operation = operations.find((each) => each.name === name)!;
    const problem = await call.run(operation, input as Record<string, unknown>).then(
      () => 'none',
      (error: { code?: string }) => error.code ?? 'unknown',
    );
    return { content: [{ type: 'text', text: problem }] };
  },
};

const service = await startTestService({
  settings: { MCP_ALLOWED_ORIGINS: 'https://agents.example.com' },
  mcpFixtures: { extraTools: [runAny] },
});
const { acme } = service;

const ACCEPT = 'application/json, text/event-stream';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const post = (body: unknown, headers: Record<string, string> = {}, as = withKey(acme.member)) =>
  service.request('POST', '/mcp', { as, body, headers: { accept: ACCEPT, ...headers } });

describe('operations', () => {
  const run = async (operation: string, input: object, as = withKey(acme.owner)) => {
    const { body } = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'run_any', arguments: { operation, input } },
      },
      { 'mcp-protocol-version': '2025-11-25' },
      as,
    );
    return JSON.parse(String(body).match(/^data: (.*)$/m)?.[1] ?? 'null').result.content[0].text;
  };

  it.each(operations.filter(({ accepts }) => !accepts.includes('mcp')).map(({ name }) => name))(
    'refuses %s, which does not declare MCP, even to an owner',
    async (name) => {
      expect(await run(name, {})).toBe('forbidden');
    },
  );

  it('runs an operation that accepts MCP, for the roles it allows', async () => {
    const event = { sessionId: randomUUID(), eventType: 'x' };
    expect(await run('list-plans', {}, withKey(acme.viewer))).toBe('none');
    expect(await run('record-session-event', event, withKey(acme.member))).toBe('none');
    expect(await run('record-session-event', event, withKey(acme.viewer))).toBe('forbidden');
  });
});

describe('methods', () => {
  it.each(['HEAD', 'PUT', 'PATCH'])('405 for %s, with the allowed methods', async (method) => {
    const answer = await service.request(method, '/mcp', { as: withKey(acme.member) });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('OPTIONS, GET, POST, DELETE');
  });

  it.each(['GET', 'DELETE'])('405 for %s: there are no sessions', async (method) => {
    const answer = await service.request(method, '/mcp', {
      as: withKey(acme.member),
      headers: { accept: 'text/event-stream' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

describe('bodies', () => {
  it('200 for a handshake', async () => {
    const answer = await post(INITIALIZE);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('415 for another content type', async () => {
    expect((await post(JSON.stringify(INITIALIZE), { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.each(['*/*', 'text/html, */*;q=0.8'])(
    '200 for a handshake from a caller that accepts %s',
    async (accept) => {
      expect((await post(INITIALIZE, { accept })).status).toBe(200);
    },
  );

  it.each(['/mcp/', '//mcp', '/mcp/?x=1'])('200 for a handshake at %s', async (path) => {
    const answer = await service.request('POST', path, {
      as: withKey(acme.member),
      body: INITIALIZE,
      headers: { accept: ACCEPT },
    });
    expect(answer.status).toBe(200);
  });

  it('406 when the client does not accept events', async () => {
    expect((await post(INITIALIZE, { accept: 'application/json' })).status).toBe(406);
  });

  it.each(['{', '', '\u0000', '[1'])('400 and a parse error for %j', async (body) => {
    const answer = await post(body, { 'content-type': 'application/json' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
  });

  it('413 beyond the limit', async () => {
    const answer = await post({ ...INITIALIZE, padding: 'x'.repeat(3 * 1024 * 1024) });
    expect(answer.status).toBe(413);
  });

  it('401 before the body is read', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000000' };
    expect(await sendRaw(service.url, rawRequest('POST /mcp', headers))).toMatchObject({ status: 401 });
  });
});

describe('batches of older protocol versions', () => {
  const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

  it('may have at most twenty messages', async () => {
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ ...PING, id }));
    expect((await post(batch(20), { 'mcp-protocol-version': '2025-03-26' })).status).toBe(200);
    const answer = await post(batch(21), { 'mcp-protocol-version': '2025-03-26' });
    expect([answer.status, answer.body.code]).toEqual([413, 'payload_too_large']);
  });

  it('count each message toward the rate limit', async () => {
    const limited = await startTestService({ settings: { RATE_LIMIT: 'on', RATE_LIMIT_PER_KEY: '30' } });
    const send = (count: number) =>
      limited.request('POST', '/mcp', {
        as: withKey(limited.acme.member),
        body: Array.from({ length: count }, (_, id) => ({ ...PING, id })),
        headers: { accept: ACCEPT, 'mcp-protocol-version': '2025-03-26' },
      });
    const first = await send(20);
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '10']);
    expect((await send(20)).status).toBe(429);
  });
});

describe('browsers', () => {
  const ORIGIN = { origin: 'https://agents.example.com', 'sec-fetch-site': 'cross-site' };

  it('an agent on an allowed page can call with a key and read the reply headers it needs', async () => {
    const preflight = await service.request('OPTIONS', '/mcp', {
      headers: { ...ORIGIN, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('*, Authorization');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    const answer = await post(INITIALIZE, ORIGIN);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('a page without a key gets 401 with the sign-in challenge, even with a session cookie', async () => {
    for (const cookie of ['', `countersign=${acme.owner.token}`]) {
      const answer = await service.request('POST', '/mcp', {
        body: INITIALIZE,
        headers: { ...ORIGIN, accept: ACCEPT, ...(cookie && { cookie }) },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('www-authenticate');
      expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=');
    }
  });

  it('a foreign name that resolves to this machine is refused', async () => {
    const headers = {
      Host: 'evil.example.com',
      Origin: 'http://evil.example.com',
      'Content-Type': 'application/json',
      Accept: ACCEPT,
    };
    const request = rawRequest('POST /mcp', headers, JSON.stringify(INITIALIZE));
    expect(await sendRaw(service.url, request)).toMatchObject({ status: 403 });
  });

  it('a page of another site is refused even with a key, and one on the same computer is accepted', async () => {
    for (const origin of ['https://evil.example', 'null', 'https://agents.example.com.evil.example']) {
      const answer = await post(INITIALIZE, { origin });
      expect([answer.status, answer.body.code], origin).toEqual([403, 'cross_origin']);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect((await service.request('OPTIONS', '/mcp', { headers: { origin } })).status).toBe(403);
    }
    for (const origin of [service.url, 'http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:8080']) {
      expect((await post(INITIALIZE, { origin })).status, origin).toBe(200);
    }
  });
});
