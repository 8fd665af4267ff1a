/** The HTTP rules that apply to every endpoint. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertInvalid, assertProblem, assertStatus, type Case, type Server } from '../server.ts';

const PATH = '/api/v2/mcp-sessions/events';
const VALID = () => JSON.stringify({ sessionId: randomUUID(), eventType: 'contract_test' });
const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const post = (server: Server, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  server.request('POST', PATH, { body, headers });

export const cases: Case[] = [
  {
    name: 'every reply has a version 7 request id, which its problem repeats',
    async run(server) {
      assert.match((await post(server, VALID())).headers.get('x-request-id') ?? '', V7);
      const refused = await post(server, '{}');
      assert.match(refused.json.requestId, V7);
      assert.equal(refused.headers.get('x-request-id'), refused.json.requestId);
    },
  },
  {
    name: 'no reply may be cached',
    async run(server) {
      for (const body of [VALID(), '{}']) {
        assert.equal((await post(server, body)).headers.get('cache-control'), 'no-store');
      }
    },
  },
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.acme+json',
    'APPLICATION/JSON',
  ].map(
    (type): Case => ({
      name: `a body sent as ${type} is taken`,
      run: async (server) => assertStatus(await post(server, VALID(), { 'content-type': type }), 204),
    }),
  ),
  ...['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'json'].map(
    (type): Case => ({
      name: `415 for a body sent as ${type}, naming the header to send`,
      async run(server) {
        const answer = await post(server, VALID(), { 'content-type': type });
        assertProblem(answer, 415, 'unsupported_media_type');
        assert.match(answer.json.detail, /Content-Type: application\/json/);
      },
    }),
  ),
  {
    name: 'a byte order mark and white space around the body are accepted',
    run: async (server) => assertStatus(await post(server, `\uFEFF \n${VALID()}\r\n`), 204),
  },
  ...['{', '{"a":1,}', '{}{}', 'undefined', "{'a':1}"].map(
    (body): Case => ({
      name: `400 for invalid JSON: ${body}`,
      run: async (server) => assertProblem(await post(server, body), 400, 'invalid_json'),
    }),
  ),
  {
    name: '400 for a body that is not UTF-8',
    run: async (server) =>
      assertProblem(await post(server, Uint8Array.of(0x7b, 0xff, 0x7d)), 400, 'invalid_json'),
  },
  ...['[]', 'null', '1', '"text"'].map(
    (body): Case => ({
      name: `400 for a body that is no object: ${body}`,
      run: async (server) => assertInvalid(await post(server, body), ''),
    }),
  ),
  {
    name: '400 for an empty body where fields are required, naming them',
    run: async (server) => assertInvalid(await server.request('POST', PATH), 'sessionId', 'eventType'),
  },
  {
    name: '404 for an unknown path, with any method and body',
    async run(server) {
      for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'OPTIONS']) {
        const body = method === 'GET' ? undefined : 'no json';
        assertProblem(await server.request(method, '/api/v2/no-such-thing', { body }), 404, 'not_found');
      }
    },
  },
  {
    name: '400 for an invalidly encoded URL',
    run: async (server) => assertProblem(await server.request('GET', '/api/v2/%zz'), 400, 'invalid_request'),
  },
  {
    name: 'every reply reports the rate limit, if there is one',
    async run(server) {
      const { headers } = await post(server, VALID());
      const limit = headers.get('ratelimit-limit');
      if (limit === null) return;
      assert.ok(Number(limit) >= 1);
      assert.ok(Number(headers.get('ratelimit-remaining')) < Number(limit));
      assert.ok(Number(headers.get('ratelimit-reset')) >= 1);
    },
  },
];
