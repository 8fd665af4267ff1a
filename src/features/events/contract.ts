/** The shapes of events and of change feeds, for every kind of subject. */
import { z } from 'zod';
import { timestamp, uuid } from '../../platform/core/operations/shapes.ts';

export const MAX_EVENTS = 200;
export const MAX_WAIT_SECONDS = 55;
export const DEFAULT_WAIT_SECONDS = 20;

const ActorShape = z.object({
  kind: z.enum(['key', 'session', 'oauth', 'service']).describe('How the actor authenticated.'),
  id: uuid().nullable(),
  name: z.string().nullable(),
});

/** An event of one kind of subject. `examples` are fields that `data` can have. */
export function eventShape(subject: { noun: string; kinds: readonly string[]; examples: readonly string[] }) {
  const { examples, kinds, noun } = subject;
  const quoted = examples.map((name) => `\`${name}\``);
  return z.object({
    number: z
      .int()
      .describe(
        `The ${noun}'s events are numbered 1, 2, 3, …; the number is also the cursor of its change feed.`,
      ),
    kind: z.string().describe(`One of ${kinds.join(', ')}. More kinds may be added.`),
    actor: ActorShape,
    createdAt: timestamp(),
    data: z
      .record(z.string(), z.unknown())
      .describe(`What changed, for example ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`),
  });
}

/** Fields that the reply of every wait has, whatever its subject. */
export function changesShape(event: ReturnType<typeof eventShape>) {
  return {
    events: z
      .array(
        event.extend({
          own: z.boolean().describe('Whether the event was made with the credential of this request.'),
        }),
      )
      .describe(`Oldest first, at most ${MAX_EVENTS}; empty if the wait timed out.`),
    cursor: z.int().describe('Send this as `since` in the next request.'),
  };
}

export const WAIT_INPUT = {
  since: z
    .int()
    .min(0)
    .optional()
    .describe('The number of the last event you have seen. Default: the latest event.'),
  waitSeconds: z
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .optional()
    .describe(`How long to wait, in seconds. Default: ${DEFAULT_WAIT_SECONDS}.`),
};

export const STREAM_INPUT = {
  since: z.int().min(0).optional().describe('Same as the `Last-Event-ID` header, which takes precedence.'),
};
