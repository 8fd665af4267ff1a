/** Reads lists that hosts give out page by page, up to a limit. */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { HostClient, HostReply, HostRequest } from './host-client.ts';
import { readReply } from './read-reply.ts';

/** Whether the `Link` header (RFC 8288) names a next page. Its address isn't used: pages are numbered. */
export function hasNextPage(headers: IncomingHttpHeaders): boolean {
  const link = headers.link;
  return (
    link !== undefined && /<[^>]*>\s*;[^,]*\brel="?next"?/.test(Array.isArray(link) ? link.join() : link)
  );
}

export interface ListOptions<Shape extends z.ZodType> {
  client: HostClient;
  request: HostRequest;
  shape: Shape;
  what: string;
  /** The query parameter for the page's size. */
  sizeParameter?: 'per_page' | 'limit';
  size?: number;
}

/** Item by item; each page is asked for when it is needed. */
export async function* listAll<Shape extends z.ZodType>(
  options: ListOptions<Shape>,
): AsyncGenerator<z.output<Shape>, void, undefined> {
  const { client, request, shape, sizeParameter = 'per_page', size = 100, what } = options;
  for (let page = 1; ; page += 1) {
    const query = { ...request.query, [sizeParameter]: size, page };
    const reply: HostReply = await client({ ...request, query });
    const items = readReply(z.array(shape), reply.json, what);
    yield* items;
    if (items.length === 0 || !hasNextPage(reply.headers)) return;
  }
}

/** At most `max` items, and whether there are more. */
export async function collect<Item>(
  items: AsyncIterable<Item>,
  max: number,
): Promise<{ items: Item[]; truncated: boolean }> {
  const collected: Item[] = [];
  for await (const item of items) {
    if (collected.length === max) return { items: collected, truncated: true };
    collected.push(item);
  }
  return { items: collected, truncated: false };
}

/** A stored page that isn't a number starts again. */
export function pageNumber(page: string | undefined): number {
  return page !== undefined && /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1;
}
