/** The service with one repository that is cloned and indexed: the bare one whose folder is in CORPUS. */
import { operations } from '../../src/operations.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { organizationId } = service.owner;
await indexCorpus(service, { name: 'bench/corpus', url: process.env.CORPUS!, organizationId });
service.announce({ memory: String(Math.round(process.memoryUsage.rss() / 1e6)) });
