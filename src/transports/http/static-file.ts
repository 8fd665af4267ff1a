/** One file as one route, so that no path of a request ever reaches the file system. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

export interface StaticFile {
  /** The path that it is asked for by. */
  path: string;
  file: string;
  type: string;
  cacheControl: string;
  /** Further headers, which replace those that every reply carries. */
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
