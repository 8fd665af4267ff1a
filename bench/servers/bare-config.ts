/** P1b's reference: a bare Fastify route that selects the same rows through pg, without authentication. */
import { writeSync } from 'node:fs';
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ ...JSON.parse(process.env.CONNECTION!), max: 10 });
const organizationId = process.env.ORGANIZATION!;
const server = fastify();
server.get('/api/v2/reviewer/config', async () => {
  const [switches, excluded] = await Promise.all([
    pool.query({
      name: 'switches',
      text: 'SELECT id, key, enabled, conditions FROM organization_switches WHERE organization_id = $1 ORDER BY key',
      values: [organizationId],
    }),
    pool.query({
      name: 'excluded',
      text: `SELECT r.id, r.name, e.paths FROM repositories r JOIN excluded_paths e ON e.repository_id = r.id
        WHERE r.organization_id = $1 ORDER BY r.name`,
      values: [organizationId],
    }),
  ]);
  return {
    excludedConfig: excluded.rows.map(({ id, name, paths }) => ({ repoName: name, paths, repoId: id })),
    orgConfig: switches.rows.map(({ conditions, enabled, id, key }) => ({
      key,
      configurationId: id,
      enabled,
      configurationMetadata: conditions,
    })),
  };
});
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void server.close().then(() => pool.end()));
writeSync(3, `${JSON.stringify({ ready: { url } })}\n`);
