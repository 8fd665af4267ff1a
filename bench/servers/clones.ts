/** The service with the bare repositories in CLONES, a JSON array of paths, cloned and indexed, and a browser session. */
import { operations } from '../../src/operations.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';
import { startSession } from './start-session.ts';

const service = await startService(operations);
const { organizationId } = service.owner;
const clones: string[] = JSON.parse(process.env.CLONES!);
for (const [number, url] of clones.entries())
  await indexCorpus(service, { name: `bench/clone-${number}`, url, organizationId });
service.announce({ session: await startSession(service) });
