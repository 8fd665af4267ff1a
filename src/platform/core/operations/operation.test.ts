/** An unsafe definition is rejected before the service starts; a reply contains only the fields of its shape. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor, Role } from './actor.ts';
import {
  authorize,
  checkOperation,
  keyAcceptingEndpoints,
  type Operation,
  pathParameters,
  readsQuery,
  runOperation,
} from './operation.ts';
import { secretText, streamedArray, uuid } from './shapes.ts';

function sample(change: Partial<Operation> = {}): Operation {
  return {
    name: 'change-thing',
    group: 'Test',
    summary: 'Change a thing',
    http: { method: 'PATCH', path: '/api/v2/things/:thingId/parts/:partId', status: 200 },
    accepts: ['key'],
    role: 'member',
    input: z.object({ thingId: uuid(), partId: uuid(), name: z.string() }),
    output: z.object({ id: uuid() }),
    problems: [],
    run: async () => ({}),
    ...change,
  };
}

describe('checkOperation', () => {
  it('accepts a valid definition', () => {
    expect(() => checkOperation(sample())).not.toThrow();
    expect(() => checkOperation(sample({ idempotent: true }))).not.toThrow();
    const secret = z.object({ secret: secretText('Shown once.') });
    expect(() => checkOperation(sample({ output: secret }))).not.toThrow();
  });

  it('rejects storing a reply that contains a secret at any depth', () => {
    const output = z.object({ keys: z.array(z.object({ secret: secretText('Shown once.').nullable() })) });
    expect(() => checkOperation(sample({ idempotent: true, output }))).toThrow(
      'must not be stored for replay',
    );
  });

  it('rejects a body with 204, and no body with another status', () => {
    const http = { method: 'POST', path: '/api/v2/things', status: 204 } as const;
    expect(() => checkOperation(sample({ http }))).toThrow('unless its status is 204');
    expect(() => checkOperation(sample({ http, output: null }))).not.toThrow();
    expect(() => checkOperation(sample({ output: null }))).toThrow('unless its status is 204');
  });

  it('rejects a path parameter that is not in the input', () => {
    expect(() => checkOperation(sample({ input: z.object({ thingId: uuid() }) }))).toThrow(
      'has no field for the path parameter partId',
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

  it('reads the query string if it has no body', () => {
    const reads = (method: Operation['http']['method']) =>
      readsQuery(sample({ http: { method, path: '/api/v2/things', status: 200 } }));
    expect((['GET', 'DELETE', 'POST', 'PATCH'] as const).map(reads)).toEqual([true, true, false, false]);
  });
});

describe('authorize', () => {
  const actor = (role: Role): Actor => ({
    kind: 'key',
    credentialId: 'k',
    organizationId: 'o',
    userId: 'u',
    userName: 'Una',
    role,
  });

  it('allows the declared role and higher ones only', () => {
    for (const [role, refused] of [
      ['viewer', true],
      ['member', false],
      ['owner', false],
    ] as const) {
      const check = () => authorize(sample({ role: 'member' }), actor(role), 'rest');
      if (refused) expect(check).toThrow('requires the role member or higher. Your role is viewer');
      else expect(check).not.toThrow();
    }
  });

  it('refuses MCP unless the operation declares it, whatever the role', () => {
    const check = (accepts: Operation['accepts']) => () =>
      authorize(sample({ accepts }), actor('owner'), 'mcp');
    expect(check(['key', 'session', 'oauth'])).toThrow("isn't available over MCP");
    expect(check([])).toThrow("isn't available over MCP");
    expect(check(['session', 'mcp'])).not.toThrow();
  });

  it('requires nothing for a public operation', () => {
    expect(() => authorize(sample({ accepts: [], role: null }), undefined, 'rest')).not.toThrow();
  });
});

describe('runOperation', () => {
  const output = z.object({
    id: uuid(),
    note: z.string().nullable(),
    inner: z.array(z.object({ a: z.number() })),
  });
  const reply = { id: '0198C1F2-7a3b-7c4d-8e5f-0123456789ab', note: null, inner: [{ a: 1 }] };

  it('returns only the fields of the output shape, at any depth', async () => {
    const run = async () => ({ ...reply, secret: 1, inner: [{ a: 1, secret: 2 }] });
    const answer = await runOperation(sample({ output, run }), {} as never, {});
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body as string)).toEqual({ ...reply, id: reply.id.toLowerCase() });
  });

  it('uses the second status when it applies to the reply', async () => {
    const also = { status: 200, when: 'Seen before.', applies: ({ note }: never) => note !== null } as const;
    const http = { method: 'POST', path: '/api/v2/things', status: 201, also } as const;
    const statusFor = async (note: string | null) =>
      (await runOperation(sample({ output, http, run: async () => ({ ...reply, note }) }), {} as never, {}))
        .status;
    expect([await statusFor(null), await statusFor('x')]).toEqual([201, 200]);
  });

  it('writes a list in batches, as the same JSON', async () => {
    const element = z.object({ a: z.number() });
    const output = z.object({
      before: z.string(),
      list: streamedArray(element, 'Any number.'),
      after: z.null(),
    });
    const piecesOf = async (batches: unknown[][]) => {
      const list = (async function* () {
        yield* batches;
      })();
      const run = async () => ({ before: '"', list, after: null });
      const { body } = await runOperation(sample({ output, run }), {} as never, {});
      return Array.fromAsync(body as AsyncIterable<string>);
    };
    for (const batches of [[], [[]], [[{ a: 1 }]], [[{ a: 1 }, { a: 2, secret: 3 }], [], [{ a: 4 }]]]) {
      const list = batches.flat().map(({ a }: { a?: number }) => ({ a }));
      expect(JSON.parse((await piecesOf(batches)).join(''))).toEqual({ before: '"', list, after: null });
    }
    expect((await piecesOf([[{ a: 1 }], [{ a: 2 }]])).length).toBeGreaterThan(3);
    await expect(piecesOf([[{ a: 'x' }]])).rejects.toThrow(z.ZodError);
  });

  it('writes events as server-sent events', async () => {
    const http = { method: 'GET', path: '/api/v2/things', status: 200, eventStream: true } as const;
    const events = (async function* () {
      yield { id: '7', kind: 'changed', data: { a: 'x\ny', secret: 1 } };
      yield { id: '', kind: '', data: null };
    })();
    const output = z.object({ a: z.string() });
    const { body } = await runOperation(sample({ http, output, run: async () => events }), {} as never, {});
    expect((await Array.fromAsync(body as AsyncIterable<string>)).join('')).toBe(
      ': open\n\nid: 7\nevent: changed\ndata: {"a":"x\\ny"}\n\n: still here\n\n',
    );
  });

  it('fails rather than return a value of another shape', async () => {
    const run = async () => ({ ...reply, note: undefined });
    await expect(runOperation(sample({ output, run }), {} as never, {})).rejects.toThrow(z.ZodError);
  });

  it('returns nothing if there is no output shape', async () => {
    const http = { method: 'POST', path: '/api/v2/things', status: 204 } as const;
    expect(
      await runOperation(sample({ output: null, http, run: async () => reply }), {} as never, {}),
    ).toEqual({ status: 204, body: null });
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
