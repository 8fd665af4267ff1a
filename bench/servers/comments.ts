/** P2's own side: the whole service, with a plan to comment on. */
import { randomUUID } from 'node:crypto';
import { operations } from '../../src/operations.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const seriesId = randomUUID();
const response = await fetch(`${service.url}/api/v2/plans`, {
  method: 'POST',
  headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
  body: JSON.stringify({ seriesKey: seriesId, content: '# Bench\n\nA plan.', agentVendor: 'codex' }),
});
const { versionId } = (await response.json()) as { versionId: string };
service.announce({ seriesId, versionId, connection: JSON.stringify(service.connection) });
