/** Operations for tests only: one for each aspect of the HTTP rules. */
import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, defineOperation } from '../../../src/context.ts';
import type { Operation } from '../../../src/platform/core/operations/operation.ts';
import {
  jsonObjectAsSent,
  requiredText,
  text,
  timestamp,
  uuid,
} from '../../../src/platform/core/operations/shapes.ts';
import { uuidv7 } from '../../../src/platform/core/text/uuid.ts';
import type { Db } from '../../../src/platform/db/index.ts';

const Thing = z.object({ id: uuid(), name: z.string(), note: z.string().nullable(), createdAt: timestamp() });

/** The table that `makeThing` writes to; a test's database gets it once. */
export async function createThings(db: Db): Promise<void> {
  await sql`CREATE TABLE things (id uuid PRIMARY KEY, organization_id uuid NOT NULL, name text NOT NULL)`.execute(
    db,
  );
}

export async function countThings(db: Db, name: string): Promise<number> {
  const answer = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM things WHERE name = ${name}`.execute(db);
  return answer.rows[0]!.count;
}

/** Returns what it received, so that a test sees the parsed query string. */
export const listThings = defineOperation({
  name: 'list-things',
  group: 'Test',
  summary: 'List things',
  http: { method: 'GET', path: '/api/v2/test/things', status: 200 },
  accepts: ['key', 'session'],
  role: 'viewer',
  input: z.object({
    needed: requiredText({ max: 10 }),
    ref: text({ max: 10 }).optional(),
    size: z.int().min(1).max(200).optional(),
    ratio: z.number().optional(),
    enabled: z.boolean().optional(),
    kind: z.enum(['round', 'square']).optional(),
    thingId: uuid().optional(),
    repoName: text({ max: 300 }).optional(),
  }),
  output: z.object({ received: z.record(z.string(), z.unknown()) }),
  problems: [],
  run: async (_context, input) => ({ received: input }),
});

export const getThing = defineOperation({
  name: 'get-thing',
  group: 'Test',
  summary: 'Get a thing',
  http: { method: 'GET', path: '/api/v2/test/things/:thingId', status: 200 },
  accepts: ['key', 'session'],
  role: 'viewer',
  input: z.object({ thingId: uuid() }),
  output: Thing,
  problems: [],
  run: async ({ clock }, { thingId }) => ({
    id: thingId,
    name: 'thing',
    note: null,
    createdAt: clock.now().toISOString(),
    passwordHash: 'must never leave',
    inner: { secret: 'must never leave' },
  }),
});

/** Returns the change it would make. */
export const changeThing = defineOperation({
  name: 'change-thing',
  group: 'Test',
  summary: 'Change a thing',
  http: { method: 'PATCH', path: '/api/v2/test/things/:thingId', status: 200 },
  accepts: ['key', 'session'],
  role: 'viewer',
  input: z.object({
    thingId: uuid(),
    name: requiredText({ max: 5 }).optional(),
    triageState: z.enum(['open', 'dismissed']).nullable().optional(),
    repoNames: z
      .array(text({ max: 10 }))
      .max(3)
      .optional(),
    tokensUsed: z.object({ input_tokens: z.int(), output_tokens: z.int().optional() }).optional(),
    payload: jsonObjectAsSent().optional(),
  }),
  output: z.object({ id: uuid(), change: z.record(z.string(), z.unknown()) }),
  problems: [],
  run: async (_context, { thingId, ...change }) => ({ id: thingId, change }),
});

/** Writes a row; `beforeReply` lets a test inspect or wait while the request is running. */
export function makeThing(beforeReply: (name: string) => Promise<void> = async () => undefined) {
  return defineOperation({
    name: 'make-thing',
    group: 'Test',
    summary: 'Make a thing',
    http: { method: 'POST', path: '/api/v2/test/things', status: 201 },
    accepts: ['key', 'session'],
    role: 'viewer',
    idempotent: true,
    input: z.object({ name: requiredText({ max: 300 }).optional() }),
    output: Thing,
    problems: [],
    async run({ actor, clock, db }, input) {
      const id = uuidv7();
      const name = input.name ?? 'unnamed';
      await sql`INSERT INTO things VALUES (${id}, ${actor.organizationId}, ${name})`.execute(db);
      await beforeReply(name);
      return { id, name, note: null, createdAt: clock.now().toISOString() };
    },
  });
}

export const breakThing = defineOperation({
  name: 'break-thing',
  group: 'Test',
  summary: 'Fail in a way nobody foresaw',
  http: { method: 'POST', path: '/api/v2/test/broken-things', status: 200 },
  accepts: ['key', 'session'],
  role: 'viewer',
  input: z.object({}),
  output: z.object({}),
  problems: [],
  async run({ db }) {
    await sql`SELECT no_such_column FROM organizations`.execute(db);
    return {};
  },
});

/** A reply of about the requested number of characters. */
export const getLargeThing = defineOperation({
  name: 'get-large-thing',
  group: 'Test',
  summary: 'Get a large thing',
  http: { method: 'GET', path: '/api/v2/test/large-thing', status: 200 },
  accepts: ['key', 'session'],
  role: 'viewer',
  input: z.object({ size: z.int().min(0).max(1_000_000) }),
  output: z.object({ text: z.string() }),
  problems: [],
  run: async (_context, { size }) => ({ text: 'abcdefghij'.repeat(size / 10) }),
});

export const sampleOperations: readonly Operation<Context>[] = [
  listThings,
  getThing,
  changeThing,
  makeThing(),
  breakThing,
  getLargeThing,
];
