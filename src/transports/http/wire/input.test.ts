/** Input rules over real HTTP: values and names in the path, query string and body. */
import { describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';

const service = await startTestService({ operations: sampleOperations });
const as = withKey(service.acme.member);

const THING = '0198c1f2-7a3b-7c4d-8e5f-0123456789ab';

const list = (query: string) => service.request('GET', `/api/v2/test/things?${query}`, { as });
const change = (body: unknown, id = THING) =>
  service.request('PATCH', `/api/v2/test/things/${id}`, {
    as,
    body,
    headers: { 'content-type': 'application/json' },
  });
const errorsOf = (answer: { body: { errors: { path: string; message: string }[] } }) =>
  answer.body.errors.map(({ path, message }) => `${path}: ${message}`);

describe('200: uuids', () => {
  it.each([
    ['version 4', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
    ['version 7', THING],
    ['no version and no variant', '00000000-0000-0000-0000-000000000000'],
    ['all bits set', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['version 9, variant c', '12345678-1234-9234-c234-123456789012'],
  ])('accepts any 8-4-4-4-12 hex digits: %s', async (_, id) => {
    const answer = await service.request('GET', `/api/v2/test/things/${id}`, { as });
    expect(answer.status).toBe(200);
    expect(answer.body.id).toBe(id);
  });

  it('accepts uppercase in path and query, and returns lowercase', async () => {
    const inPath = await service.request('GET', `/api/v2/test/things/${THING.toUpperCase()}`, { as });
    expect(inPath.body.id).toBe(THING);
    const inQuery = await list(`needed=x&thingId=${THING.toUpperCase()}`);
    expect(inQuery.body.received.thingId).toBe(THING);
  });
});

describe('200: replies', () => {
  it('writes times as RFC 3339 in UTC with milliseconds and Z', async () => {
    const answer = await service.request('GET', `/api/v2/test/things/${THING}`, { as });
    expect(answer.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(new Date(answer.body.createdAt).toISOString()).toBe(answer.body.createdAt);
  });

  it('returns only the fields of the output shape, and nullable ones as null', async () => {
    const answer = await service.request('GET', `/api/v2/test/things/${THING}`, { as });
    expect(Object.keys(answer.body).toSorted()).toEqual(['createdAt', 'id', 'name', 'note']);
    expect(answer.body.note).toBeNull();
    expect(JSON.stringify(answer.body)).not.toContain('must never leave');
  });
});

describe('200: text', () => {
  it('counts limits in code points, not in UTF-16 units or bytes', async () => {
    const answer = await change({ name: '😀😀😀😀😀' });
    expect(answer.status).toBe(200);
    expect(answer.body.change.name).toBe('😀😀😀😀😀');
  });

  it('keeps whitespace around text', async () => {
    expect((await change({ name: ' a ' })).body.change.name).toBe(' a ');
  });
});

describe('200: null and unknown names', () => {
  it('treats null in an optional field as absent', async () => {
    const answer = await change({ name: null, repoNames: null, tokensUsed: null, payload: null });
    expect(answer.status).toBe(200);
    expect(answer.body.change).toEqual({});
  });

  it('accepts null as a value if the field is nullable', async () => {
    expect((await change({ triageState: null })).body.change).toEqual({ triageState: null });
  });

  it('treats null in an optional nested field as absent', async () => {
    const answer = await change({ tokensUsed: { input_tokens: 1, output_tokens: null } });
    expect(answer.body.change).toEqual({ tokensUsed: { input_tokens: 1 } });
  });

  it('ignores unknown fields of the body, nested ones too', async () => {
    const answer = await change({ name: 'a', color: 'red', tokensUsed: { input_tokens: 1, cached: 2 } });
    expect(answer.status).toBe(200);
    expect(answer.body.change).toEqual({ name: 'a', tokensUsed: { input_tokens: 1 } });
  });

  it('ignores unknown query parameters', async () => {
    const answer = await list('needed=x&color=red&__proto__=1&constructor=2&toString=3');
    expect(answer.status).toBe(200);
    expect(answer.body.received).toEqual({ needed: 'x' });
  });

  it('ignores a field with the name of a path parameter, exact or misspelled: the path takes precedence', async () => {
    const answer = await change({ name: 'a', thingId: 'x', thing_id: 'y' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: THING, change: { name: 'a' } });
  });

  it('ignores names that every object has', async () => {
    const answer = await change('{"name":"a","__proto__":{"name":"b"},"constructor":1,"toString":2}');
    expect(answer.status).toBe(200);
    expect(answer.body.change).toEqual({ name: 'a' });
  });
});

describe('200: PATCH', () => {
  it('changes nothing for {}', async () => {
    expect(await change({})).toMatchObject({ status: 200, body: { change: {} } });
  });

  it('changes nothing without a body', async () => {
    expect(await change(undefined)).toMatchObject({ status: 200, body: { change: {} } });
  });
});

describe('200: query parameters', () => {
  it('parses numbers and booleans according to the shape', async () => {
    const answer = await list('needed=1&size=200&ratio=-1.5&enabled=TRUE&kind=round');
    expect(answer.body.received).toEqual({
      needed: '1',
      size: 200,
      ratio: -1.5,
      enabled: true,
      kind: 'round',
    });
    for (const [sent, meant] of [
      ['true', true],
      ['1', true],
      ['False', false],
      ['0', false],
    ] as const) {
      expect((await list(`needed=x&enabled=${sent}`)).body.received.enabled).toBe(meant);
    }
  });

  it('treats an empty optional parameter as absent', async () => {
    const answer = await list('needed=x&ref=&size=&enabled=&thingId=');
    expect(answer.status).toBe(200);
    expect(answer.body.received).toEqual({ needed: 'x' });
  });

  it('decodes percent-encoding and plus signs', async () => {
    expect((await list('needed=a%2Fb+%F0%9F%98%80')).body.received.needed).toBe('a/b 😀');
  });
});

describe('400: values', () => {
  it.each([
    ['a letter', 'x'],
    ['no hyphens', '0198c1f27a3b7c4d8e5f0123456789ab'],
    ['a digit too many', `${THING}0`],
    ['braces', `{${THING}}`],
    ['a line break', `${THING}%0A`],
    ['9,000 letters', 'g'.repeat(9_000)],
  ])('refuses a malformed uuid in a path: %s', async (_, id) => {
    const answer = await service.request('GET', `/api/v2/test/things/${id}`, { as });
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([expect.stringMatching(/^thingId: must be a UUID/)]);
  });

  it('refuses one code point more than the limit', async () => {
    const answer = await change({ name: '😀😀😀😀😀😀' });
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual(['name: must have at most 5 characters']);
  });

  it.each([
    ['NUL', '"\\u0000"', /NUL/],
    ['a lone high surrogate', '"\\ud83d"', /surrogate/],
    ['a lone low surrogate', '"\\ude00"', /surrogate/],
    ['only whitespace', '" \\t\\u00a0\\u2003"', /must not be blank/],
    ['nothing', '""', /must not be blank/],
  ])('refuses required text that contains %s', async (_, json, message) => {
    const answer = await change(`{"name":${json}}`);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([expect.stringMatching(message)]);
  });

  it('refuses NUL in a query parameter', async () => {
    expect(errorsOf(await list('needed=a%00'))).toEqual(['needed: must not contain the NUL character']);
  });

  it('refuses invalid percent-encoding in a query', async () => {
    for (const needed of ['%', '%zz', '%ff', '%ed%a0%80']) {
      expect((await list(`needed=${needed}`)).status, needed).toBe(400);
    }
  });

  it.each([
    ['size=0', 'size: must be at least 1'],
    ['size=201', 'size: must be at most 200'],
    ['size=1e2', 'size: must be a number'],
    ['size=1.5', 'size: must be a whole number'],
    ['size=0x10', 'size: must be a number'],
    ['ratio=NaN', 'ratio: must be a number'],
    ['enabled=yes', 'enabled: must be true or false'],
    ['kind=Round', 'kind: must be one of round, square'],
  ])('refuses a query parameter of the wrong type or out of range: %s', async (query, message) => {
    const answer = await list(`needed=x&${query}`);
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toEqual([message]);
  });

  it('refuses an empty required parameter', async () => {
    expect((await list('needed=')).status).toBe(400);
  });
});

describe('400: names', () => {
  it.each(['Name', 'NAME', 'na_me', 'na-me', '_name'])(
    'refuses a misspelled name in the body: %s',
    async (name) => {
      const answer = await change({ triageState: 'open', [name]: 'a' });
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toEqual([
        `${name}: is not a known field; did you mean \`name\`? Names must match exactly`,
      ]);
    },
  );

  it('refuses a misspelled name in a nested object, with its path', async () => {
    const answer = await change({ tokensUsed: { inputTokens: 1, input_tokens: 1 } });
    expect(errorsOf(answer)).toEqual([expect.stringMatching(/^tokensUsed\.inputTokens: .*`input_tokens`/)]);
  });

  it.each(['Ref=main', 'repo_name=api', 'reponame=', 'repo-Name=api'])(
    'refuses a misspelled name in the query string: %s',
    async (query) => {
      const answer = await list(`needed=x&${query}`);
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toEqual([expect.stringContaining('did you mean')]);
    },
  );

  it('refuses a misspelled name even with the correct one present', async () => {
    expect((await change({ name: 'a', Name: 'b' })).status).toBe(400);
  });

  it('refuses a repeated query parameter, even with equal values', async () => {
    expect(errorsOf(await list('needed=x&needed=x'))).toEqual(['needed: must not be repeated']);
    expect(errorsOf(await list('needed=x&ref=&ref='))).toEqual(['ref: must not be repeated']);
  });

  it('refuses a PATCH without a known field, and names the known ones', async () => {
    const answer = await change({ color: 'red' });
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)[0]).toMatch(/the body has no known field; known fields: name, triageState/);
  });
});

describe('400: all errors at once', () => {
  it('lists errors in the path and body together', async () => {
    const answer = await change(
      { name: '', repoNames: ['a', 7, 'b'.repeat(11), 'd'], tokensUsed: {}, Payload: {} },
      'no-uuid',
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((error: { path: string }) => error.path).toSorted()).toEqual([
      'Payload',
      'name',
      'repoNames',
      'repoNames[1]',
      'repoNames[2]',
      'thingId',
      'tokensUsed.input_tokens',
    ]);
  });

  it('lists errors in the query string together', async () => {
    const answer = await list('size=0&kind=&kind=round&Ref=x');
    expect(answer.body.errors.map((error: { path: string }) => error.path).toSorted()).toEqual([
      'Ref',
      'kind',
      'needed',
      'size',
    ]);
  });

  it('lists a malformed path together with a body that is not an object', async () => {
    expect(errorsOf(await change([], 'no-uuid'))).toEqual([
      expect.stringMatching(/^thingId: /),
      ': the body must be a JSON object',
    ]);
  });
});
