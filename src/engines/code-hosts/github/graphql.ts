/** Sends a GraphQL request to GitHub, whose errors arrive with status 200. */
import { z } from 'zod';
import type { HostClient } from '../host-client.ts';
import { HostError } from '../host-error.ts';
import { MAX_MESSAGE_LENGTH } from '../limits.ts';
import { readReply } from '../read-reply.ts';
import { pausedUntil } from '../retry-policy.ts';

const replyShape = z.object({
  data: z.unknown(),
  errors: z.array(z.object({ type: z.string().nullish(), message: z.string() })).nullish(),
});

const DEFAULT_PAUSE_MS = 60_000;

export interface GraphqlRequest<Shape extends z.ZodType> {
  path: string;
  document: string;
  variables: Record<string, unknown>;
  /** The shape of `data`. */
  shape: Shape;
  what: string;
  now: () => Date;
}

export async function sendGraphql<Shape extends z.ZodType>(
  client: HostClient,
  { document, now, path, shape, variables, what }: GraphqlRequest<Shape>,
): Promise<z.output<Shape>> {
  const { headers, json } = await client({
    method: 'POST',
    path,
    body: { query: document, variables },
    repeatable: document.startsWith('query'),
  });
  const { data, errors } = readReply(replyShape, json, what);
  const [first] = errors ?? [];
  if (first) {
    const { message, type } = first;
    const said = message.slice(0, MAX_MESSAGE_LENGTH);
    switch (type) {
      case 'RATE_LIMITED': {
        const until = pausedUntil(headers, now()) ?? new Date(now().getTime() + DEFAULT_PAUSE_MS);
        throw new HostError('rate_limited', 'The rate limit of the host is used up.', { until });
      }
      case 'NOT_FOUND':
        throw new HostError(
          'not_found',
          `The host has no such thing, or the credential can't see it: ${said}`,
        );
      case 'FORBIDDEN':
      case 'INSUFFICIENT_SCOPES':
        throw new HostError('forbidden', `The credential doesn't allow this on the host: ${said}`);
      default:
        throw new HostError('invalid', `The host refused the request: ${said}`);
    }
  }
  return readReply(shape, data, what);
}
