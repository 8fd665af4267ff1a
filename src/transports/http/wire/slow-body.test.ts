/** The caller of a request with a slow body is authenticated again once the body is complete. */
import { describe, expect, it } from 'vitest';
import { startTestService, withSession } from '../../../../test/helpers/service/harness.ts';
import { openRaw } from '../../../../test/helpers/service/raw-http.ts';
import { revokeApiKey } from '../../../features/api-keys/revoke-api-key.ts';

const service = await startTestService();
const { member } = service.acme;
const BODY = JSON.stringify({ sessionId: '0198c1f2-7a3b-7c4d-8e5f-0123456789ab', eventType: 'slow' });

async function sendSlowly(key: string, meanwhile: () => Promise<void>) {
  const connection = await openRaw(service.url);
  await connection.write(
    `POST /api/v2/mcp-sessions/events HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${key}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 10)}`,
  );
  await meanwhile();
  await connection.write(BODY.slice(10));
  return connection.answer();
}

describe('a body that arrives slowly', () => {
  it('is accepted while its key is valid', async () => {
    const answer = await sendSlowly(member.key, async () => undefined);
    expect(answer.status).toBe(204);
  });

  it('is refused when its key was revoked before it was complete', async () => {
    const answer = await sendSlowly(member.key, async () => {
      const revoked = await service.call(revokeApiKey, { keyId: member.keyId }, withSession(member));
      expect(revoked.status).toBe(200);
    });
    expect(answer.status).toBe(401);
  });
});
