/** P1b's own side: the whole service, with ten repositories that have excluded paths. */
import { operations } from '../../src/operations.ts';
import { withConnection } from '../../src/platform/db/index.ts';
import { startService } from './start-service.ts';

const service = await startService(operations);
const { organizationId, userId } = service.owner;
await withConnection(service.connection, async (client) => {
  await client.query(
    `INSERT INTO repositories (id, organization_id, name, created_at)
      SELECT gen_random_uuid(), $1, 'acme/r' || n, now() FROM generate_series(1, 10) n`,
    [organizationId],
  );
  await client.query(
    `INSERT INTO excluded_paths SELECT id, organization_id, '{vendor/,*.lock}', $1, now() FROM repositories`,
    [userId],
  );
  await client.query('VACUUM ANALYZE');
});
service.announce({ organizationId, connection: JSON.stringify(service.connection) });
