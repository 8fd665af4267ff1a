/** Liveness, readiness and metrics endpoints. */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isDiskFull } from '../../platform/core/errors/disk-full.ts';
import { Problem } from '../../platform/core/errors/errors.ts';

import type { ServerOptions } from './types.ts';

export function addHealth<Context>(server: FastifyInstance, options: ServerOptions<Context>): void {
  const { metrics, settings } = options;

  server.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );

  server.get('/readyz', async (_request, reply) => {
    try {
      await options.checkReady();
    } catch (error) {
      const detail = isDiskFull(error)
        ? 'No disk space left. Free some on the disk of the data folder or of PostgreSQL.'
        : 'The service is stopping, or its database does not respond. See the log.';
      throw new Problem('unavailable', detail, { retryAfterSeconds: 2, cause: error });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });

  server.get('/metrics', async (request, reply) => {
    if (
      settings.metricsToken &&
      !sameText(request.headers.authorization ?? '', `Bearer ${settings.metricsToken}`)
    ) {
      throw new Problem('unauthenticated', 'Send METRICS_TOKEN as Authorization: Bearer.', {
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      });
    }
    const { contentType, text } = await metrics.render();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
}

function sameText(given: string, wanted: string): boolean {
  const left = Buffer.from(given);
  const right = Buffer.from(wanted);
  return left.length === right.length && timingSafeEqual(left, right);
}
