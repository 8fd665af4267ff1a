/** P2's reference: a bare Fastify route that runs one INSERT through the driver, on the given PostgreSQL. */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ ...JSON.parse(process.env.CONNECTION!), max: 20 });
await pool.query(`CREATE TABLE IF NOT EXISTS bare_comments (id uuid PRIMARY KEY, version_id uuid NOT NULL,
  body text NOT NULL, created_at timestamptz NOT NULL)`);
const server = fastify();
server.post('/comments', async (request, reply) => {
  const { body, versionId } = request.body as { body: string; versionId: string };
  const id = randomUUID();
  const createdAt = new Date();
  await pool.query({
    name: 'insert',
    text: 'INSERT INTO bare_comments (id, version_id, body, created_at) VALUES ($1, $2, $3, $4)',
    values: [id, versionId, body, createdAt],
  });
  return reply.code(201).send({ id, versionId, body, createdAt });
});
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', async () => {
  await server.close();
  await pool.end();
});
writeSync(3, `${JSON.stringify({ ready: { url } })}\n`);
