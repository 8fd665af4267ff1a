/** Serves one file at a fixed path, so that no request path ever reaches the file system. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

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
    const { size, mtimeMs } = await stat(file);
    const etag = `W/"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    reply.headers({ ...headers, 'cache-control': cacheControl, etag });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type(type).send(createReadStream(file));
  });
}
