/**
 * Fuzzes every operation that accepts a key: it always replies, never with 5xx, and a refused request writes nothing.
 * Operations come from the table, so new ones are covered automatically. FAST_CHECK_SEED=random tries other requests, and
 * FUZZ_RUNS=1000 more of them.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';
import type { Operation } from '../../../src/platform/core/operations/operation.ts';
import { idsIn, rowCounter, rowReader } from '../../helpers/database/stored-rows.ts';
import { postComment, postPlan } from '../../helpers/rows/plans.ts';
import { startTestService, withKey } from '../../helpers/service/harness.ts';
import {
  anyText,
  type Fields,
  fittingInputs,
  requestOf,
  unfittingInputs,
} from '../../helpers/service/operation-inputs.ts';
import { anyCharacter } from '../../helpers/text/any-character.ts';

/** To each operation: a number, because a time would send more requests on a quick machine, and others at each run. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 60);

const service = await startTestService();
const { acme, db } = service;
const countRows = await rowCounter(db);
const keyed = (operations as readonly Operation[]).filter(({ accepts }) => accepts.includes('key'));

const { body: plan } = await postPlan(service, acme.member);
await postComment(service, acme.member, plan);

const known = idsIn(await (await rowReader(db))(acme.id));
const sources = {
  id: fc.oneof(
    fc.uuid(),
    fc.constantFrom(...known),
    fc.constantFrom(...known).map((id) => id.toUpperCase()),
  ),
  text: anyText,
};

interface Sent {
  method: string;
  path: string;
  body: string | Uint8Array | undefined;
}

const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: anyCharacter }),
  fc.json().map((json) => json.slice(0, -1)),
  fc.constantFrom(
    'null',
    '[]',
    '{"',
    '{"a":1,}',
    '\ufeff{}',
    `${'['.repeat(5_000)}`,
    `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_001)}`,
  ),
);

/** Valid, invalid and malformed requests to one operation. */
function requestsTo(operation: Operation): fc.Arbitrary<Sent> {
  const from = (inputs: fc.Arbitrary<Fields>) => inputs.map((input): Sent => requestOf(operation, input));
  const broken = fc.tuple(from(fittingInputs(operation, sources)), garbage).map(([sent, body]): Sent => {
    if (sent.body !== undefined) return { ...sent, body };
    const query = Buffer.from(body)
      .toString('latin1')
      .replaceAll(/[^!-~]|#/g, '%');
    return { ...sent, path: `${sent.path.split('?')[0]}?${query}` };
  });
  return fc.oneof(
    { weight: 3, arbitrary: from(fittingInputs(operation, sources)) },
    { weight: 6, arbitrary: from(unfittingInputs(operation, sources)) },
    { weight: 1, arbitrary: broken },
  );
}

function send({ method, path, body }: Sent) {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  return service.request(method, path, { as: withKey(acme.member), body, headers });
}

/** Operations that answered something else than that the input is wrong. */
const understood = new Set<string>();

describe.each(keyed.map((operation) => [operation.name, operation] as const))('%s', (_, operation) => {
  it('always replies, never with 5xx, and a refused request writes nothing', async () => {
    const seen: Record<number, number> = {};
    let before = await countRows();
    const property = fc.asyncProperty(requestsTo(operation), async (sent) => {
      const answer = await send(sent);
      const after = await countRows();
      seen[answer.status] = (seen[answer.status] ?? 0) + 1;
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
      if (answer.status >= 400) {
        expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
        const problem = answer.body;
        expect(problem).toMatchObject({
          status: answer.status,
          code: expect.any(String),
          requestId: expect.any(String),
        });
        if (problem.code === 'invalid_request') expect(problem.errors.length).toBeGreaterThan(0);
        expect(after).toEqual(before);
      }
      before = after;
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(seen[400], 'some request was refused').toBeGreaterThan(0);
    if (Object.keys(seen).some((status) => status !== '400' && status !== '431'))
      understood.add(operation.name);
  });
});

it('gets past the validation of most operations', () => {
  expect(understood.size, [...understood].join(', ')).toBeGreaterThan(keyed.length / 2);
});
