/** The service with the bare repositories in CLONES, a JSON array of paths, cloned and indexed, and a browser session. */
import { insertSession } from '../../src/features/accounts/store/session-store.ts';
import { operations } from '../../src/operations.ts';
import { hashOf, newToken } from '../../src/platform/core/text/secret-token.ts';
import { uuidv7 } from '../../src/platform/core/text/uuid.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { organizationId } = service.owner;
const clones: string[] = JSON.parse(process.env.CLONES!);
for (const [number, url] of clones.entries())
  await indexCorpus(service, { name: `bench/clone-${number}`, url, organizationId });
const token = newToken();
const at = new Date();
await insertSession(service.db, {
  id: uuidv7(),
  tokenHash: hashOf(token),
  ...service.owner,
  userAgent: null,
  address: '127.0.0.1',
  at,
  expiresAt: new Date(at.getTime() + 86_400_000),
});
service.announce({ session: token });
