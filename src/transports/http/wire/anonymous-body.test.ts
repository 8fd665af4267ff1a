/** Request bodies without a credential have a lower size limit. */
import { expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';

const service = await startTestService();
const KIB = 1024;
const SESSION = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

it('413 for more than 64 KiB at an operation that needs no credential', async () => {
  const answer = await service.request('POST', '/api/v2/session', {
    body: { email: 'a@example.com', password: 'x'.repeat(64 * KIB) },
  });
  expect(answer.status).toBe(413);
});

it('204 for the same amount with a key', async () => {
  const body = { sessionId: SESSION, eventType: 'large', payload: { text: 'x'.repeat(64 * KIB) } };
  const answer = await service.request('POST', '/api/v2/mcp-sessions/events', {
    as: withKey(service.acme.member),
    body,
  });
  expect(answer.status).toBe(204);
});
