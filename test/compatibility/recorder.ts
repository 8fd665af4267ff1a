/** Calls operations and tools and notes each exchange under the name of its operation or tool. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, vi } from 'vitest';
import { operations } from '../../src/operations.ts';
import type { Operation } from '../../src/platform/core/operations/operation.ts';
import type { Person } from '../helpers/service/factories.ts';
import { type Answer, type TestService, withKey, withSession } from '../helpers/service/harness.ts';
import { type Fields, inputFrom, requestOf, schemaOf } from '../helpers/service/operation-inputs.ts';
import type { Json } from './placeholders.ts';

/** The content of one file: what may be sent, and the exchanges in the order of the walk. */
export interface Recording {
  input?: Json;
  exchanges: Json[];
}

const HEADERS = ['content-type', 'content-disposition', 'location', 'set-cookie', 'retry-after', 'allow'];

export type Recorder = ReturnType<typeof createRecorder>;

/** `known` are values of fields by their name: a call needs only what is special about it. */
export function createRecorder(
  service: TestService,
  known: Fields,
  recordings: Map<string, Recording> = new Map(),
) {
  const note = (name: string, exchange: Json, input?: Json) => {
    const recording = recordings.get(name) ?? { ...(input !== undefined && { input }), exchanges: [] };
    recording.exchanges.push(exchange);
    recordings.set(name, recording);
  };

  /** Sends it as `as`: with a key where one is accepted. Returns the reply, and how to note it. */
  async function send(name: string, more: Fields, as: Person, during?: () => Promise<unknown>) {
    const operation = (operations as readonly Operation[]).find((each) => each.name === name)!;
    const { body, method, path } = requestOf(operation, inputFrom(operation, known, more));
    const credential = operation.accepts.includes('key')
      ? { text: `${as.role} with a key`, value: withKey(as) }
      : operation.role === null
        ? { text: 'nobody', value: 'nobody' as const }
        : { text: `${as.role} with a session`, value: withSession(as) };
    const headers = { ...(body !== undefined && { 'content-type': 'application/json' }) };
    const reply = operation.http.eventStream
      ? await readStream(service, path, as, during)
      : await service.request(method, path, { headers, as: credential.value, body });
    const exchange = {
      request: {
        as: credential.text,
        ...{ method, path },
        ...(body !== undefined && { body: JSON.parse(body) }),
      },
      reply: {
        status: reply.status,
        headers: Object.fromEntries(
          HEADERS.flatMap((header) => {
            const value = reply.headers.get(header);
            return value === null ? [] : [[header, value]];
          }),
        ),
        ...(reply.body !== '' && { body: readBody(reply) }),
      },
    } as Json;
    return { reply, note: () => note(name, exchange, withoutProse(schemaOf(operation) as Json)) };
  }

  /** `during`: what to do while a stream is open. */
  async function call(
    name: string,
    more: Fields = {},
    as: Person = service.acme.admin,
    during?: () => Promise<unknown>,
    // biome-ignore lint/suspicious/noExplicitAny: replies are read as a client without types does.
  ): Promise<any> {
    const sent = await send(name, more, as, during);
    sent.note();
    return sent.reply.body;
  }

  /** Asks until background work has done what `check` expects, and notes only that reply. */
  async function until(
    name: string,
    more: Fields,
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    check: (body: any) => boolean,
    as: Person = service.acme.admin,
    // biome-ignore lint/suspicious/noExplicitAny: see above.
  ): Promise<any> {
    return vi.waitFor(
      async () => {
        const sent = await send(name, more, as);
        expect(check(sent.reply.body), `${name}: ${JSON.stringify(sent.reply.body)}`).toBe(true);
        sent.note();
        return sent.reply.body;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /** Calls a tool with a real client; the reply is what the client hands to the model. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  async function callTool(client: Client, name: string, given: Fields): Promise<any> {
    const { tools } = await client.listTools();
    // Not there for a tool that only a command calls.
    const definition = tools.find((tool) => tool.name === name);
    const result = await client.callTool({ name, arguments: given });
    const text = (result.content as { text?: string }[]).map((each) => each.text).join('\n');
    const { structuredContent } = result;
    const isSame = structuredContent !== undefined && text === JSON.stringify(structuredContent);
    const reply = {
      ...(result.isError && { isError: true }),
      text: isSame ? 'structuredContent as JSON' : text,
      ...(structuredContent !== undefined && { structuredContent }),
    };
    const input = definition && withoutProse(definition.inputSchema as Json);
    note(name, { arguments: given, reply } as Json, input);
    return structuredContent;
  }

  return { call, callTool, known, note, recordings, service, until };
}

/** Keeps the first line of each kind of a file of JSON lines. */
function readBody({ body, headers }: Answer): unknown {
  if (!headers.get('content-type')?.startsWith('application/jsonl')) return body;
  const lines = String(body).trimEnd().split('\n').toReversed();
  return Object.fromEntries(lines.map((line) => JSON.parse(line)).map((line) => [line.kind, line]));
}

/** Reads the first event of a stream, and then hangs up. */
async function readStream(
  service: TestService,
  path: string,
  as: Person,
  during: () => Promise<unknown> = async () => undefined,
): Promise<Answer> {
  const stop = new AbortController();
  const response = await fetch(service.url + path, {
    headers: { cookie: `countersign=${as.token}` },
    signal: stop.signal,
  });
  await during();
  let body = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    body += decoder.decode(chunk, { stream: true });
    if (/^data: .*\n\n/m.test(body)) break;
  }
  stop.abort();
  const [, id, kind, data] = /^id: (.*)\nevent: (.*)\ndata: (.*)\n\n/m.exec(body)!;
  return {
    status: response.status,
    headers: response.headers,
    body: { id, event: kind, data: JSON.parse(data!) },
  };
}

/** A schema without what only people read. */
function withoutProse(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutProse);
  if (schema === null || typeof schema !== 'object') return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) =>
      ['$schema', 'description', 'title', 'examples'].includes(name) && typeof value !== 'object'
        ? []
        : [[name, withoutProse(value)]],
    ),
  );
}
