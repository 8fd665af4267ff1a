/** Only the key decides, and every request without a valid key gets the same reply. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Answer, assertProblem, assertStatus, type Case, type Server } from '../server.ts';

const PATH = '/api/v2/mcp-sessions/events';

const record = (server: Server, key: string | null, headers: Record<string, string> = {}) =>
  server.request('POST', PATH, {
    body: { sessionId: randomUUID(), eventType: 'contract_test' },
    key,
    headers,
  });

/** A well-formed key that was never issued. */
const swapped = (key: string) => `${key.slice(0, 10)}${key[10] === 'A' ? 'B' : 'A'}${key.slice(11)}`;

const withoutRequestId = (answer: Answer) => ({ ...answer.json, requestId: undefined });

export const cases: Case[] = [
  {
    name: '204 for a valid key',
    run: async (server) => assertStatus(await record(server, server.key), 204),
  },
  {
    name: '204 for a valid key, whatever cookie or bearer token comes with it',
    async run(server) {
      const headers = { cookie: 'countersign=x; __Host-countersign=x', authorization: 'Bearer x' };
      assertStatus(await record(server, server.key, headers), 204);
    },
  },
  {
    name: 'the same 401 for a missing, empty, malformed and unknown key',
    async run(server) {
      const missing = await record(server, null);
      assertProblem(missing, 401, 'unauthenticated');
      assert.ok(missing.headers.get('www-authenticate'));
      for (const key of ['', 'x', 'csk_', `${server.key}x`, server.key.slice(0, -1), swapped(server.key)]) {
        const answer = await record(server, key);
        assertProblem(answer, 401, 'unauthenticated');
        assert.deepEqual(withoutRequestId(answer), withoutRequestId(missing));
        assert.equal(answer.headers.get('www-authenticate'), missing.headers.get('www-authenticate'));
      }
    },
  },
  {
    name: '401 does not ask a client that sent a key to sign in',
    async run(server) {
      const { headers } = await record(server, 'x');
      assert.doesNotMatch(
        headers.get('www-authenticate') ?? '',
        /bearer|session|resource_metadata|authorization_uri/i,
      );
    },
  },
  {
    name: '401 for a key in another header or in the query string',
    async run(server) {
      assertStatus(await record(server, null, { authorization: `ApiKey ${server.key}` }), 401);
      const answer = await server.request('POST', `${PATH}?x-api-key=${server.key}`, { body: {}, key: null });
      assertStatus(answer, 401);
    },
  },
  {
    name: '401 before the body is read',
    run: async (server) =>
      assertProblem(await server.request('POST', PATH, { body: '{', key: 'x' }), 401, 'unauthenticated'),
  },
  {
    name: '403 for a valid key where keys are not accepted, 401 for an invalid one',
    async run(server) {
      for (const [method, path] of [
        ['GET', '/api/v2/api-keys'],
        ['POST', '/api/v2/api-keys'],
        ['GET', '/api/v2/session'],
      ] as const) {
        assertProblem(await server.request(method, path), 403, 'key_not_accepted');
        assertProblem(
          await server.request(method, path, { key: swapped(server.key) }),
          401,
          'unauthenticated',
        );
      }
    },
  },
];
