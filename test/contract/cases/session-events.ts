/** POST /api/v2/mcp-sessions/events. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { assertInvalid, assertProblem, assertStatus, type Case, type Server } from '../server.ts';

const PATH = '/api/v2/mcp-sessions/events';

const valid = () => ({ sessionId: randomUUID(), eventType: 'contract_test' });
const record = (server: Server, fields: Record<string, unknown>) =>
  server.request('POST', PATH, { body: { ...valid(), ...fields } });
const recordText = (server: Server, members: string) =>
  server.request('POST', PATH, {
    body: `{"sessionId":"${randomUUID()}","eventType":"contract_test",${members}}`,
  });

const taken: [string, Record<string, unknown>][] = [
  ['the required fields alone', {}],
  ['every field', { repository: 'acme/api', agentVendor: 'claude-code', payload: { tool: 'grep', n: 1 } }],
  ['null in every optional field', { repository: null, agentVendor: null, payload: null }],
  ['a session id in upper case', { sessionId: 'ABCDEF00-1234-4234-8234-123456789ABC' }],
  ['a session id with any version and variant bits', { sessionId: '00000000-0000-0000-0000-000000000001' }],
  ['an eventType of 1 character', { eventType: 'x' }],
  ['an eventType of 200 code points', { eventType: '😀'.repeat(200) }],
  ['an eventType nobody knows', { eventType: 'something new' }],
  ['a repository of 300 code points', { repository: '😀'.repeat(300) }],
  ['an empty repository', { repository: '' }],
  ['an agentVendor of 100 code points', { agentVendor: '😀'.repeat(100) }],
  ['an empty agentVendor', { agentVendor: '' }],
  ['an empty payload', { payload: {} }],
  ['fields it does not know', { color: 'red', nested: { a: 1 } }],
];

const takenText: [string, string][] = [
  ['a payload with numbers of any size', '"payload":{"a":1.0,"b":1e400,"c":12345678901234567890}'],
  ['a payload with repeated keys', '"payload":{"a":1,"a":2}'],
  ['a payload with NUL and half a surrogate pair', '"payload":{"a":"\\u0000","b":"\\ud800"}'],
  ['a payload with __proto__', '"payload":{"__proto__":{"a":1}}'],
  ['a payload 50,000 levels deep', `"payload":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`],
  ['duplicate fields, of which the last wins', '"eventType":1,"eventType":"contract_test"'],
];

const refused: [string, Record<string, unknown>, ...string[]][] = [
  ['a missing sessionId', { sessionId: undefined }, 'sessionId'],
  ['a missing eventType', { eventType: undefined }, 'eventType'],
  ['null in sessionId', { sessionId: null }, 'sessionId'],
  ['null in eventType', { eventType: null }, 'eventType'],
  ['a malformed sessionId', { sessionId: 'not-a-uuid' }, 'sessionId'],
  ['a sessionId without hyphens', { sessionId: '0198c1f27a3b7c4d8e5f0123456789ab' }, 'sessionId'],
  ['a sessionId that is a number', { sessionId: 7 }, 'sessionId'],
  ['an empty eventType', { eventType: '' }, 'eventType'],
  ['an eventType of white space', { eventType: ' \t\n\u00a0' }, 'eventType'],
  ['an eventType of 201 characters', { eventType: 'a'.repeat(201) }, 'eventType'],
  ['an eventType of 201 code points', { eventType: '😀'.repeat(201) }, 'eventType'],
  ['NUL in eventType', { eventType: 'a\0b' }, 'eventType'],
  ['half a surrogate pair in eventType', { eventType: '\ud800' }, 'eventType'],
  ['a repository of 301 characters', { repository: 'a'.repeat(301) }, 'repository'],
  ['NUL in repository', { repository: '\0' }, 'repository'],
  ['a repository that is a list', { repository: ['a'] }, 'repository'],
  ['an agentVendor of 101 characters', { agentVendor: 'a'.repeat(101) }, 'agentVendor'],
  ['an agentVendor that is a number', { agentVendor: 1 }, 'agentVendor'],
  ['a payload that is a list', { payload: [] }, 'payload'],
  ['a payload that is text', { payload: '{}' }, 'payload'],
  ['a near miss of a name', { session_id: randomUUID() }, 'session_id'],
  ['a name in another case', { EventType: 'x' }, 'EventType'],
  [
    'several things at once, all of them listed',
    { sessionId: 'x', eventType: '', payload: 1, AgentVendor: 'x' },
    'sessionId',
    'eventType',
    'payload',
    'AgentVendor',
  ],
];

export const cases: Case[] = [
  ...taken.map(
    ([what, fields]): Case => ({
      name: `204 for ${what}`,
      async run(server) {
        const answer = await record(server, fields);
        assertStatus(answer, 204);
        assert.equal(answer.text, '');
      },
    }),
  ),
  ...takenText.map(
    ([what, members]): Case => ({
      name: `204 for ${what}`,
      run: async (server) => assertStatus(await recordText(server, members), 204),
    }),
  ),
  ...refused.map(
    ([what, fields, ...paths]): Case => ({
      name: `400 for ${what}`,
      run: async (server) => assertInvalid(await record(server, fields), ...paths),
    }),
  ),
  {
    name: '204 for 20 concurrent first events of a session',
    async run(server) {
      const sessionId = randomUUID();
      const answers = await Promise.all(Array.from({ length: 20 }, () => record(server, { sessionId })));
      for (const answer of answers) assertStatus(answer, 204);
    },
  },
  {
    name: '413 for a body larger than 2 MiB, and 204 for one of exactly 2 MiB',
    async run(server) {
      const start = `{"sessionId":"${randomUUID()}","eventType":"contract_test","payload":{"a":"`;
      const bodyOf = (bytes: number) => `${start}${'x'.repeat(bytes - start.length - 3)}"}}`;
      const limit = 2 * 1024 * 1024;
      assertProblem(
        await server.request('POST', PATH, { body: bodyOf(limit + 1) }),
        413,
        'payload_too_large',
      );
      assertStatus(await server.request('POST', PATH, { body: bodyOf(limit) }), 204);
    },
  },
  ...['GET', 'PUT', 'PATCH', 'DELETE'].map(
    (method): Case => ({
      name: `405 for ${method}, with the method to use in Allow`,
      async run(server) {
        const answer = await server.request(method, PATH);
        assertProblem(answer, 405, 'method_not_allowed');
        assert.equal(answer.headers.get('allow'), 'POST');
      },
    }),
  ),
];
