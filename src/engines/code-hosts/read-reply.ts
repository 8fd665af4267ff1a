/** Reads a reply of a host through the shape of what we use: fields that we don't use are ignored. */
import type { z } from 'zod';
import { HostError } from './host-error.ts';

/** Throws `unexpected_reply` with the first field that doesn't fit. Never includes values. */
export function readReply<Shape extends z.ZodType>(
  shape: Shape,
  json: unknown,
  what: string,
): z.output<Shape> {
  const result = shape.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = issue.path.map(String).join('.') || '(the whole reply)';
  throw new HostError(
    'unexpected_reply',
    `The host's reply for ${what} has another form than documented: ${field} (${issue.code}).`,
    { field },
  );
}
