/** Every operation against every role: who is allowed and who gets 403, as the operation's `role` declares. */
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';
import { hasRole, ROLES } from '../../../src/platform/core/operations/actor.ts';
import { type Operation, pathParameters } from '../../../src/platform/core/operations/operation.ts';
import { startTestService, withKey, withSession } from '../../helpers/service/harness.ts';

const service = await startTestService();
const { acme } = service;
const UNKNOWN = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

/** Signing out comes last: it ends the session that the other rows use. */
const ordered = operations.toSorted(
  (left, right) => Number(left.name === 'sign-out') - Number(right.name === 'sign-out'),
);

describe.each(ordered)('$name', (operation) => {
  // Roles are checked before the input, so an input that changes nothing is enough.
  const input = Object.fromEntries(pathParameters(operation as Operation).map((name) => [name, UNKNOWN]));
  const send = (as: Parameters<typeof service.call>[2]) => service.call(operation, input, as);
  const { accepts, role: least } = operation;

  if (least === null) {
    it('needs no credential', async () => {
      expect(accepts).toEqual([]);
      const { body, status } = await send('nobody');
      expect([status < 500, body.code === 'unauthenticated', status === 403]).toEqual([true, false, false]);
    });
    return;
  }

  it('answers 401 without a credential', async () => {
    const answer = await send('nobody');
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  });

  it.each(ROLES)(`allows %s exactly when ${least} is the same role or a lower one`, async (role) => {
    const credential = accepts.includes('session') ? withSession : withKey;
    const answer = await send(credential(acme[role]));
    const refused = answer.status === 403 && answer.body.code === 'forbidden';
    expect([answer.status < 500, answer.status === 401, refused]).toEqual([
      true,
      false,
      !hasRole(role, least),
    ]);
  });

  if (!accepts.includes('key')) {
    it('accepts no API key, whatever its role: 403 key_not_accepted', async () => {
      for (const role of ROLES) {
        const answer = await send(withKey(acme[role]));
        expect([answer.status, answer.body.code]).toEqual([403, 'key_not_accepted']);
      }
    });
  }
});
