/** P1's reference: a bare Fastify app that sends the same bytes, without authentication or a database. */
import { writeSync } from 'node:fs';
import fastify from 'fastify';
import { SAMPLE_REPLY } from './sample-reply.ts';

const body = JSON.stringify(SAMPLE_REPLY);
const server = fastify();
server.get('/api/v2/sample', async (_request, reply) =>
  reply.header('content-type', 'application/json; charset=utf-8').send(body),
);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void server.close());
writeSync(3, `${JSON.stringify({ ready: { url } })}\n`);
