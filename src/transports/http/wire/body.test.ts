/** Request bodies over real HTTP: content types, encodings, and valid and invalid JSON. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startTestService, withKey } from '../../../../test/helpers/service/harness.ts';
import { rawRequest, sendRaw } from '../../../../test/helpers/service/raw-http.ts';
import { createThings, sampleOperations } from '../../../../test/helpers/service/sample-operations.ts';

const service = await startTestService({ operations: sampleOperations });
await createThings(service.db);
const { key } = service.acme.member;
const as = withKey(service.acme.member);

const PATH = '/api/v2/test/things/0198c1f2-7a3b-7c4d-8e5f-0123456789ab';
const JSON_TYPE = { 'content-type': 'application/json' };

const patch = (body: unknown, headers: Record<string, string> = JSON_TYPE) =>
  service.request('PATCH', PATH, { as, body, headers });
const patchRaw = (headers: Record<string, string>, body: string) =>
  sendRaw(service.url, rawRequest(`PATCH ${PATH}`, { 'X-Api-Key': key, ...headers }, body));

describe('200', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; charset=iso-8859-1',
    'application/json;',
    'application/merge-patch+json',
    'application/a+b+json',
    'application/vnd.acme.v2+json; profile="x;y"',
  ])('accepts the content type %s', async (contentType) => {
    const answer = await patch(Buffer.from('{"name":"a"}'), { 'content-type': contentType });
    expect(answer.status).toBe(200);
    expect(answer.body.change).toEqual({ name: 'a' });
  });

  it('reads a body without a content type as JSON', async () => {
    const answer = await patchRaw({}, '{"name":"a"}');
    expect(answer.status).toBe(200);
    expect(answer.json().change).toEqual({ name: 'a' });
  });

  it('accepts Content-Encoding: identity', async () => {
    expect((await patch('{"name":"a"}', { ...JSON_TYPE, 'content-encoding': 'identity' })).status).toBe(200);
  });

  it('accepts a leading byte order mark', async () => {
    expect((await patch('\uFEFF{"name":"a"}')).body.change).toEqual({ name: 'a' });
  });

  it('accepts surrounding whitespace, and uses the last of duplicate keys', async () => {
    const answer = await patch(' \r\n\t{"name":"a","name":1,"name":"z"}\n ');
    expect(answer.status).toBe(200);
    expect(answer.body.change).toEqual({ name: 'z' });
  });

  it('accepts a chunked body', async () => {
    const chunked = '4\r\n{"na\r\n8\r\nme":"a"}\r\n0\r\n\r\n';
    const answer = await patchRaw({ 'Transfer-Encoding': 'chunked', ...JSON_TYPE }, chunked);
    expect(answer.status).toBe(200);
    expect(answer.json().change).toEqual({ name: 'a' });
  });

  it('reads an empty body, or one of whitespace, as {}', async () => {
    expect((await patch('')).body.change).toEqual({});
    expect((await patch(' \n')).body.change).toEqual({});
  });

  it('keeps a free-form object byte for byte', async () => {
    const payload =
      '{ "a": 1.0, "a": 1e400, "big": 12345678901234567890, "nul": "\\u0000", "half": "\\ud800" }';
    const answer = await patch(`{"payload":1,"payload" : ${payload} }`);
    expect(answer.body.change.payload).toBe(payload);
  });
});

describe('201', () => {
  it('needs no body if no field is required, even with an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'no body' };
    const first = await service.request('POST', '/api/v2/test/things', { as, headers });
    expect(first.status).toBe(201);
    const again = await service.request('POST', '/api/v2/test/things', { as, headers });
    expect(again.body).toEqual(first.body);
  });
});

describe('400', () => {
  it.each([
    ['only a brace', '{'],
    ['single quotes', "{'name':'a'}"],
    ['a trailing comma', '{"name":"a",}'],
    ['two values', '{}{}'],
    ['a comment', '{} // hello'],
    ['NaN', '{"size":NaN}'],
    ['a raw line break in text', '{"name":"a\nb"}'],
    ['whitespace that is not JSON whitespace', '\u00a0'],
    ['two byte order marks', '\uFEFF\uFEFF{}'],
  ])('refuses invalid JSON: %s', async (_, body) => {
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_json');
  });

  it('does not repeat the invalid body, which may contain secrets', async () => {
    const answer = await patch('{"password":"hunter2"');
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
  });

  it.each([
    ['a stray byte', [0x7b, 0x7d, 0xff]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses invalid UTF-8: %s', async (_, bytes) => {
    const answer = await patch(Uint8Array.from(bytes));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_json', detail: 'The body is not valid UTF-8.' });
  });

  it.each(['[]', '"text"', '1', 'true', 'null'])('refuses a body that is not an object: %s', async (body) => {
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path: '', message: 'the body must be a JSON object' }]);
  });

  it('refuses deep nesting without failing', async () => {
    const answer = await patch(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([{ path: 'name', message: 'must be text' }]);
  });

  it('refuses a body whose chunks are malformed', async () => {
    const answer = await patchRaw({ 'Transfer-Encoding': 'chunked', ...JSON_TYPE }, 'zz\r\n{}\r\n0\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(answer.json().code).toBe('invalid_request');
  });
});

describe('415', () => {
  it.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    'application/xml+json+xml',
    'json',
    '/',
    'application/',
    'application/json, text/plain',
  ])('refuses the content type %s, and names the header to send', async (contentType) => {
    const answer = await patch(Buffer.from('{"name":"a"}'), { 'content-type': contentType });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body.code).toBe('unsupported_media_type');
    expect(answer.body.detail).toContain('Content-Type: application/json');
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'nonsense'])(
    'refuses a body compressed with %s, and names the header to send',
    async (coding) => {
      const body = gzipSync('{"name":"a"}');
      const answer = await patch(body, { ...JSON_TYPE, 'content-encoding': coding });
      expect(answer.status).toBe(415);
      expect(answer.body.detail).toContain(`Content-Encoding: ${coding}`);
      expect(answer.body.detail).toContain('Content-Type: application/json');
    },
  );
});

describe('a large body', () => {
  const PAD = ' '.repeat(70_000);
  const DEEP = '['.repeat(400_000) + ']'.repeat(400_000);

  it('is read like a small one', async () => {
    const payload = `{ "a": 1.0, "a": 1e400, "big": 12345678901234567890, "nul": "\\u0000", "deep": ${DEEP} }`;
    const answer = await patch(
      `\uFEFF{"payload":1,"payload" : ${payload}, "other": ${DEEP}, "name":"a","name":"z"}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.body.change.name).toBe('z');
    expect(answer.body.change.payload === payload).toBe(true);
    expect((await patch(`{"triageState":null${PAD}}`)).body.change).toEqual({ triageState: null });
    expect((await patch(`{${PAD}}`)).body.change).toEqual({});
    expect((await patch(PAD)).body.change).toEqual({});
  });

  it.each([
    ['{"Name":"a","name":"a"', ',"name_":[1]}'],
    ['{"name":"\\u0000"', '}'],
    ['{"name":"\\ud800"', '}'],
    [`{"name":{"a":${DEEP.slice(300_000, 500_000)}}`, ',"payload":[1],"size":"x"}'],
    ['{"unknown":1', '}'],
    ['[1', ']'],
    ['{"name":"a"', ',}'],
    ['{"name":"a"', '\xff'],
  ])('has the same errors as a small one: %.30s', async (start, end) => {
    const [small, large] = [await patch(start + end), await patch(start + PAD + end)];
    const withoutPlace = ({ body: { code, detail, errors } }: typeof small) => ({
      code,
      errors,
      detail: String(detail).replace(/at position \d+/, ''),
    });
    expect(large.status).toBe(400);
    expect(withoutPlace(large)).toEqual(withoutPlace(small));
  });

  it('that is not UTF-8 is refused', async () => {
    const answer = await patch(Buffer.concat([Buffer.from(PAD), Buffer.from([0x7b, 0x7d, 0xff])]));
    expect(answer.body).toMatchObject({ code: 'invalid_json', detail: 'The body is not valid UTF-8.' });
  });

  it('with an Idempotency-Key counts as sent', async () => {
    const headers = { ...JSON_TYPE, 'idempotency-key': 'large' };
    const send = (body: string) => service.request('POST', '/api/v2/test/things', { as, headers, body });
    const first = await send(`{${PAD}}`);
    expect(first.status).toBe(201);
    expect((await send(`{${PAD}}`)).body).toEqual(first.body);
    expect((await send(`{${PAD} }`)).status).toBe(409);
  });
});
