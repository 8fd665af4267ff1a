/** Concurrent key lookups share a query, and no lookup gets a result that is older than its start. */
import { describe, expect, it } from 'vitest';
import { startTestService, withSession } from '../../../test/helpers/service/harness.ts';
import { createKeyFinder } from './index.ts';
import { newKeySecret } from './key-format.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const service = await startTestService();
const { acme, globex } = service;

/** The statements that PostgreSQL was asked, by watching the driver's events of the query builder. */
function watchedFinder() {
  const asked: string[] = [];
  const db = service.db.withPlugin({
    transformQuery: ({ node }) => {
      asked.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { finder: createKeyFinder(db, service.clock), asked };
}

describe('concurrent lookups', () => {
  it('share one query, and each gets its own caller', async () => {
    const { asked, finder } = watchedFinder();
    const people = [acme.owner, acme.member, globex.viewer, globex.admin];
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, index) => finder.find(people[index % people.length]!.key)),
    );
    found.forEach((actor, index) => {
      const person = people[index % people.length]!;
      expect(actor).toEqual({
        kind: 'key',
        credentialId: person.keyId,
        organizationId: person.organizationId,
        userId: person.userId,
        userName: person.name,
        role: person.role,
      });
    });
    expect(asked).toHaveLength(1);
  });

  it('send no query for text that cannot be a key', async () => {
    const { asked, finder } = watchedFinder();
    const found = await Promise.all(['', 'csk_', `${newKeySecret()}x`].map((text) => finder.find(text)));
    expect(found).toEqual([undefined, undefined, undefined]);
    expect(asked).toEqual([]);
  });

  it('never get an older result: a key revoked before the lookup is not found', async () => {
    const { finder } = watchedFinder();
    const person = acme.viewer;
    expect((await finder.find(person.key))?.credentialId).toBe(person.keyId);
    const before = Array.from({ length: 20 }, () => finder.find(person.key));
    await service.call(revokeApiKey, { keyId: person.keyId }, withSession(person));
    expect(await finder.find(person.key)).toBeUndefined();
    await Promise.all(before);
  });
});
