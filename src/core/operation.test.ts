/** A definition that could do harm is refused before the service starts; a reply holds only what its shape names. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  checkOperation,
  keyAcceptingEndpoints,
  type Operation,
  pathParameters,
  readsQuery,
  runOperation,
} from './operation.ts';
import { secretText, uuid } from './shapes.ts';

function sample(change: Partial<Operation> = {}): Operation {
  return {
    name: 'change-thing',
    group: 'Test',
    summary: 'Change a thing',
    http: { method: 'PATCH', path: '/api/v2/things/:thingId/parts/:partId', status: 200 },
    accepts: ['key'],
    input: z.object({ thingId: uuid(), partId: uuid(), name: z.string() }),
    output: z.object({ id: uuid() }),
    problems: [],
    run: async () => ({}),
    ...change,
  };
}

describe('checkOperation', () => {
  it('takes a sound definition', () => {
    expect(() => checkOperation(sample())).not.toThrow();
    expect(() => checkOperation(sample({ idempotent: true }))).not.toThrow();
    const secret = z.object({ secret: secretText('Shown once.') });
    expect(() => checkOperation(sample({ output: secret }))).not.toThrow();
  });

  it('refuses to keep a reply that holds a secret, however deep', () => {
    const output = z.object({ keys: z.array(z.object({ secret: secretText('Shown once.').nullable() })) });
    expect(() => checkOperation(sample({ idempotent: true, output }))).toThrow('must not be kept for replay');
  });

  it('refuses a body with 204, and none with another status', () => {
    const http = { method: 'POST', path: '/api/v2/things', status: 204 } as const;
    expect(() => checkOperation(sample({ http }))).toThrow('unless its status is 204');
    expect(() => checkOperation(sample({ http, output: null }))).not.toThrow();
    expect(() => checkOperation(sample({ output: null }))).toThrow('unless its status is 204');
  });

  it('refuses a path parameter that the input lacks', () => {
    expect(() => checkOperation(sample({ input: z.object({ thingId: uuid() }) }))).toThrow(
      'lacks the path parameter partId',
    );
  });
});

describe('an operation', () => {
  it('names its path parameters in order', () => {
    expect(pathParameters(sample())).toEqual(['thingId', 'partId']);
    expect(pathParameters(sample({ http: { method: 'GET', path: '/api/v2/things', status: 200 } }))).toEqual(
      [],
    );
  });

  it('reads the query string where it has no body', () => {
    const reads = (method: Operation['http']['method']) =>
      readsQuery(sample({ http: { method, path: '/api/v2/things', status: 200 } }));
    expect((['GET', 'DELETE', 'POST', 'PATCH'] as const).map(reads)).toEqual([true, true, false, false]);
  });
});

describe('runOperation', () => {
  const output = z.object({
    id: uuid(),
    note: z.string().nullable(),
    inner: z.array(z.object({ a: z.number() })),
  });
  const reply = { id: '0198C1F2-7a3b-7c4d-8e5f-0123456789ab', note: null, inner: [{ a: 1 }] };

  it('lets out only what the output shape names, at any depth', async () => {
    const run = async () => ({ ...reply, secret: 1, inner: [{ a: 1, secret: 2 }] });
    expect(await runOperation(sample({ output, run }), {} as never, {})).toEqual({
      ...reply,
      id: reply.id.toLowerCase(),
    });
  });

  it('fails rather than answer with something of another shape', async () => {
    const run = async () => ({ ...reply, note: undefined });
    await expect(runOperation(sample({ output, run }), {} as never, {})).rejects.toThrow(z.ZodError);
  });

  it('lets nothing out where there is no output', async () => {
    const http = { method: 'POST', path: '/api/v2/things', status: 204 } as const;
    expect(
      await runOperation(sample({ output: null, http, run: async () => reply }), {} as never, {}),
    ).toBeUndefined();
  });
});

describe('keyAcceptingEndpoints', () => {
  it('lists exactly those that accept a key, in order', () => {
    const table = [
      sample({ http: { method: 'GET', path: '/api/v2/b', status: 200 } }),
      sample({ accepts: ['session'] }),
      sample({ accepts: [] }),
      sample({ accepts: ['session', 'key'], http: { method: 'POST', path: '/api/v2/a', status: 200 } }),
    ];
    expect(keyAcceptingEndpoints(table)).toEqual(['GET /api/v2/b', 'POST /api/v2/a']);
  });
});
