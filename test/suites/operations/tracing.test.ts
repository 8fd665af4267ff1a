/** Traces as a collector receives them: OTLP over HTTP, from the service's requests, queries, git and outgoing calls. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { callTool } from '../../../src/commands/clone/call-service.ts';
import { readConfig } from '../../../src/config.ts';
import { runGit } from '../../../src/engines/git/run/run-git.ts';
import { createTraceExporter, MAX_QUEUE } from '../../../src/platform/core/network/export-traces.ts';
import { sendRequest } from '../../../src/platform/core/network/send-request.ts';
import { createLog } from '../../../src/platform/core/telemetry/log.ts';
import {
  configureTracing,
  inSpan,
  parseTraceparent,
  startSpan,
} from '../../../src/platform/core/telemetry/tracing.ts';
import { startTestService, withSession } from '../../helpers/service/harness.ts';

const Attribute = z.strictObject({
  key: z.string(),
  value: z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ boolValue: z.boolean() }),
  ]),
});
const ExportRequest = z.strictObject({
  resourceSpans: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(Attribute) }),
      scopeSpans: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: z.literal('countersign'), version: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[0-9a-f]{16}$/)
                .optional(),
              name: z.string().min(1),
              kind: z.int().min(1).max(5),
              startTimeUnixNano: z.string().regex(/^\d{19}$/),
              endTimeUnixNano: z.string().regex(/^\d{19}$/),
              attributes: z.array(Attribute),
              status: z.strictObject({ code: z.literal(2).optional(), message: z.string().optional() }),
            }),
          ),
        }),
      ]),
    }),
  ]),
});
type ReceivedSpan = z.infer<typeof ExportRequest>['resourceSpans'][0]['scopeSpans'][0]['spans'][0];

const received: {
  spans: ReceivedSpan[];
  resource: Record<string, unknown>;
  headers: object;
  path: string;
}[] = [];
let replyWith = 200;
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [{ resource, scopeSpans }] = ExportRequest.parse(
    JSON.parse(Buffer.concat(chunks).toString()),
  ).resourceSpans;
  if (replyWith === 200) {
    const { headers, url } = request;
    received.push({ spans: scopeSpans[0].spans, resource: valuesOf(resource), headers, path: url! });
  }
  response.writeHead(replyWith, { 'content-type': 'application/json' }).end('{}');
});
await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
const COLLECTOR = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
afterAll(() => new Promise((done) => collector.close(done)));

function valuesOf({ attributes }: { attributes: z.infer<typeof Attribute>[] }): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

const logLines: string[] = [];
const log = createLog({
  level: 'info',
  terminal: false,
  destination: { write: (line) => void logLines.push(line) },
});

/** Traces with these settings until the end of the test. */
function trace(settings: Record<string, string> = {}) {
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, ...settings });
  const exporter = createTraceExporter(tracing!, { log });
  configureTracing({ ...tracing!, record: exporter.add });
  return exporter;
}
afterEach(() => configureTracing(undefined));
beforeEach(() => {
  received.length = 0;
  logLines.length = 0;
  replyWith = 200;
});
const spans = () => received.flatMap((each) => each.spans);
const named = (name: string) => spans().find((span) => span.name === name)!;

const { acme, request, url } = await startTestService();
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const SECRET = 'a value that belongs in no trace';

it('sends requests with their queries, as a part of the caller’s trace', async () => {
  const exporter = trace({
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20key',
    OTEL_SERVICE_NAME: 'review',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const reply = await request('GET', `/api/v2/plans?search=${encodeURIComponent(SECRET)}`, {
    as: withSession(acme.member),
    headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
  });
  await request('GET', '/healthz');
  await exporter.flush();
  const [{ headers, path, resource }] = received as [(typeof received)[0]];
  expect(path).toBe('/v1/traces');
  expect(headers).toMatchObject({ 'api-key': 'a key', 'content-type': 'application/json' });
  expect(resource).toEqual({ 'service.name': 'review', 'deployment.environment.name': 'test' });

  const server = named('GET /api/v2/plans');
  expect(server).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2, status: {} });
  expect(valuesOf(server)).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/api/v2/plans',
    'http.response.status_code': String(reply.status),
    'countersign.request_id': reply.headers.get('x-request-id'),
  });
  const queries = spans().filter((span) => 'db.query.text' in valuesOf(span));
  expect(queries.length).toBeGreaterThanOrEqual(2);
  for (const query of queries) {
    expect(query).toMatchObject({
      traceId: TRACE,
      parentSpanId: server.spanId,
      kind: 3,
      name: expect.stringMatching(/^[A-Z]+$/),
    });
    expect(BigInt(query.startTimeUnixNano)).toBeGreaterThanOrEqual(
      BigInt(server.startTimeUnixNano) - 2_000_000n,
    );
    expect(BigInt(query.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(server.endTimeUnixNano));
  }
  expect(spans()).toHaveLength(1 + queries.length);
  const text = JSON.stringify(received);
  for (const secret of [SECRET, encodeURIComponent(SECRET), acme.member.token])
    expect(text).not.toContain(secret);
});

it('names the MCP tool, and starts a trace of its own for each request', async () => {
  const exporter = trace();
  const place = { baseUrl: url, mcpUrl: `${url}/mcp`, key: acme.member.key };
  await callTool(place, 'list_reviewers', {});
  await callTool(place, 'list_reviewers', {});
  await exporter.flush();
  const calls = spans().filter(({ name }) => name === 'tools/call list_reviewers');
  expect(calls).toHaveLength(2);
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([undefined, undefined]);
  expect(new Set(calls.map(({ traceId }) => traceId)).size).toBe(2);
  expect(valuesOf(calls[0]!)).toMatchObject({
    'gen_ai.tool.name': 'list_reviewers',
    'countersign.operation': 'mcp',
  });
});

it('sends git runs and outgoing requests, below what they are a part of', async () => {
  const exporter = trace();
  const common = { method: 'GET', headers: {}, allowPrivateAddresses: true, maxBytes: 1000 };
  await inSpan('the job', 'consumer', {}, async () => {
    await runGit(['version']);
    await runGit(['no-such-command']).catch(() => undefined);
    const signal = AbortSignal.timeout(5000);
    await sendRequest({ ...common, url: new URL(`${url}/healthz?token=${SECRET}`), signal });
    await sendRequest({ ...common, url: new URL('http://127.0.0.1:2/'), signal }).catch(() => undefined);
  });
  await exporter.flush();
  const job = named('the job');
  expect(job).toMatchObject({ kind: 5, status: {} });
  expect(named('git version')).toMatchObject({
    traceId: job.traceId,
    parentSpanId: job.spanId,
    kind: 1,
    status: {},
  });
  expect(named('git no-such-command').status).toEqual({ code: 2, message: 'GitFailure' });
  const [sent, failed] = spans().filter(({ name }) => name === 'GET');
  expect(sent).toMatchObject({ parentSpanId: job.spanId, kind: 3, status: {} });
  expect(valuesOf(sent!)).toEqual({
    'http.request.method': 'GET',
    'http.response.status_code': '200',
    'server.address': '127.0.0.1',
    'server.port': new URL(url).port,
  });
  expect(failed!.status).toEqual({ code: 2, message: 'ECONNREFUSED' });
});

it.each([
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, '01', 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, '01', 1],
  [{}, '00', 0],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, '00', 1],
  // The trace ID is 0.56 of the largest possible one.
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, '01', 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.6' }, '01', 1],
])('samples as %o says, with the flag %s of the caller', async (settings, flags, expected) => {
  const exporter = trace(settings as Record<string, string>);
  const parent = parseTraceparent(`00-${TRACE}-${CALLER}-${flags}`);
  startSpan('a request', 'server', {}, parent)!.end();
  await exporter.flush();
  expect(spans()).toHaveLength(expected);
});

it('keeps a limited number of spans while the collector is away, says so once, and goes on', async () => {
  const exporter = trace();
  replyWith = 503;
  for (let count = 0; count < MAX_QUEUE + 500; count += 1) startSpan(`span ${count}`, 'internal')!.end();
  await exporter.flush();
  await exporter.flush();
  expect(logLines.filter((line) => line.includes('status 503'))).toHaveLength(1);
  expect(received).toEqual([]);
  replyWith = 200;
  await exporter.close();
  expect(spans().map(({ name }) => name)).toEqual(
    Array.from({ length: MAX_QUEUE }, (_, count) => `span ${count}`),
  );
  expect(logLines.at(-1)).toMatch(/"dropped":500,.*sending traces works again/);
});

it('drops what the collector refuses for good', async () => {
  const exporter = trace();
  replyWith = 400;
  startSpan('refused', 'internal')!.end();
  await exporter.flush();
  replyWith = 200;
  await exporter.close();
  expect(received).toEqual([]);
});

it('is off unless it is set, and can be turned off', () => {
  expect(startSpan('nothing', 'internal')).toBeUndefined();
  for (const settings of [
    {},
    { OTEL_SERVICE_NAME: 'x' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR, OTEL_TRACES_EXPORTER: 'none' },
  ])
    expect(readConfig(settings).tracing).toBeUndefined();
  const endpoint = (settings: Record<string, string>) => readConfig(settings).tracing?.endpoint.href;
  expect(endpoint({ OTEL_TRACES_EXPORTER: 'otlp' })).toBe('http://localhost:4318/v1/traces');
  expect(endpoint({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp' })).toBe(
    'https://c.example/otlp/v1/traces',
  );
  expect(endpoint({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/in' })).toBe(
    'https://c.example/in',
  );
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(
    /OTEL_EXPORTER_OTLP_PROTOCOL must be one of http\/json, http\/protobuf/,
  );
});

it.each([
  [`00-${TRACE}-${CALLER}-01`, true],
  [`cc-${TRACE}-${CALLER}-01-more`, true],
  [`00-${TRACE}-${CALLER}-01-more`, false],
  [`ff-${TRACE}-${CALLER}-01`, false],
  [`00-${'0'.repeat(32)}-${CALLER}-01`, false],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, false],
  [`00-${TRACE.toUpperCase()}-${CALLER}-01`, false],
  ['nonsense', false],
  [undefined, false],
])('reads traceparent %s', (header, isValid) => {
  expect(parseTraceparent(header) !== undefined).toBe(isValid);
});
