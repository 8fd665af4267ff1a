/** Serves one file at a fixed path, so that no request path ever reaches the file system. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../platform/core/errors/errors.ts';
import { errorCode } from '../../platform/core/errors/start-failure.ts';

export interface StaticFile {
  /** The URL path. */
  path: string;
  file: string;
  type: string;
  cacheControl: string;
  /** Additional headers, which override those of every reply. */
  headers?: Record<string, string>;
}

export function addStaticFile(server: FastifyInstance, given: StaticFile): void {
  const { path, file, type, cacheControl, headers } = given;
  server.get(path, async (request, reply) => {
    const { size, mtimeMs } = await stat(file).catch(whenGone);
    const etag = `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    reply.headers({ ...headers, 'cache-control': cacheControl, etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type(type).send(createReadStream(file));
  });
}

/** An update replaces the app's files while a process still serves the previous ones. */
function whenGone(error: unknown): never {
  if (errorCode(error) !== 'ENOENT') throw error;
  throw new Problem('not_found', 'This file does not exist anymore. Reload the page.', { cause: error });
}
