/**
 * An operation: one capability, defined once. Routes, MCP tools, the OpenAPI document, the list of endpoints that accept
 * API keys and the typed client are derived from it.
 */
import type { z } from 'zod';
import { Problem, type ProblemCode } from '../errors/errors.ts';
import { type Actor, type CredentialKind, hasRole, type Role } from './actor.ts';
import { streamsIn, writeJson } from './json-stream.ts';
import { containsSecret } from './shapes.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Status = 200 | 201 | 204;

/** One event of a stream; a client resumes after it by sending its id as `since` (or `Last-Event-ID`). */
export interface StreamEvent<Data = unknown> {
  id: string;
  kind: string;
  data: Data;
}

/** A way to call an operation: over REST with a credential of one kind, or over MCP with any credential that `/mcp` accepts. */
export type Access = CredentialKind | 'mcp';

export type Transport = 'rest' | 'mcp';

export interface Operation<Context = never> {
  /** `verb-noun`, the same as its file name. */
  name: string;
  /** Its group in the API reference. */
  group: string;
  summary: string;
  description?: string;
  http: {
    method: Method;
    path: `/api/v2/${string}`;
    status: Status;
    /** A second success status, used when `applies` returns true for the reply. */
    also?: { status: Status; when: string; applies(output: never): boolean };
    /** Server-sent events: `run` returns an async iterable of `StreamEvent`, and `output` is the shape of each event's data. */
    eventStream?: true;
    /**
     * The body is signed: `run` gets it as it was received (`context.received`), checks it, and the rate limit counts what it refuses.
     * A `small` one is as large as any body without a credential may be, a `large` one as large as any.
     */
    signedBody?: 'small' | 'large';
    /** A file: `run` returns its text as an async iterable of chunks, and `output` describes the whole file. */
    download?: { contentType: string; fileName: string };
    /** An image: `run` returns an `ImageFile`, and `output` describes its bytes. */
    image?: true;
  };
  /** How it may be called; an empty list means over REST without a credential. */
  accepts: readonly Access[];
  /** The lowest role that may call it, or null when no credential is needed. Finer rules are checked in `run`. */
  role: Role | null;
  /** Honors `Idempotency-Key`: the whole run is one transaction, and its reply is kept for 24 hours. */
  idempotent?: boolean;
  input: z.ZodObject;
  /** The shape of the reply, or null when there is no body. */
  output: z.ZodType | null;
  /** The problems it may return besides those that every operation may return. */
  problems: readonly ProblemCode[];
  /** An example request and reply for the API reference; a test checks both against the shapes. */
  example?: { request: Record<string, unknown>; reply?: unknown };
  /** Only with a signed body: refuses, before the body is read, whom nobody could have signed it for. Gets the path parameters alone. */
  admit?(context: Context, input: never): Promise<void>;
  /** Slow work, such as reading code, done before the transaction begins. `run` receives the result. */
  prepare?(context: Context, input: never): Promise<unknown>;
  /** In this order: check finer permissions, load, decide, write in one transaction, present. Independent of HTTP and MCP. */
  run(context: Context, input: never, prepared: never): Promise<unknown>;
}

/** The names that agents may give as their vendor, which the operator can extend. */
export interface VendorSettings {
  agentVendors: readonly string[];
}

/** Rejects unsafe definitions when the program starts. */
export function checkOperation(operation: Operation): void {
  if (operation.idempotent && operation.output && containsSecret(operation.output)) {
    throw new Error(`${operation.name}: a reply that contains a secret must not be stored for replay`);
  }
  if ((operation.http.status === 204) !== (operation.output === null)) {
    throw new Error(`${operation.name}: a reply has a body unless its status is 204`);
  }
  if (operation.http.signedBody && !operation.admit) {
    throw new Error(`${operation.name}: a signed body needs \`admit\``);
  }
  for (const name of pathParameters(operation)) {
    if (!Object.hasOwn(operation.input.shape, name)) {
      throw new Error(`${operation.name}: its input has no field for the path parameter ${name}`);
    }
  }
}

/** Throws unless this actor may call the operation over this transport. Both transports call it first. */
export function authorize(operation: Operation, actor: Actor | undefined, transport: Transport): void {
  const { accepts, name, role } = operation;
  if (transport === 'mcp' && !accepts.includes('mcp')) {
    throw new Problem('forbidden', `The operation ${name} isn't available over MCP.`);
  }
  if (role === null) return;
  if (!actor) throw new Error(`${name}: called without an actor`);
  if (!hasRole(actor.role, role)) {
    throw new Problem('forbidden', `This requires the role ${role} or higher. Your role is ${actor.role}.`);
  }
}

export function pathParameters(operation: Operation): string[] {
  return [...operation.http.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** Whether the fields that are not in the path come from the query string rather than the body. */
export function readsQuery(operation: Operation): boolean {
  return operation.http.method === 'GET' || operation.http.method === 'DELETE';
}

/** The credentials that its REST endpoint accepts. */
export function restCredentials(operation: Pick<Operation, 'accepts'>): CredentialKind[] {
  return operation.accepts.filter((access) => access !== 'mcp');
}

/** Its type is one that browsers show and never run. */
export interface ImageFile {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  bytes: Buffer;
}

/** An operation's reply: the status, and the body as text, as chunks, or none. */
export interface OperationReply {
  status: Status;
  body: string | AsyncIterable<string> | ImageFile | null;
}

/** Runs it and returns only the fields in its output shape. */
export async function runOperation<Context>(
  operation: Operation<Context>,
  context: Context,
  input: unknown,
  prepared?: unknown,
): Promise<OperationReply> {
  const { http, output } = operation;
  const result = await operation.run(context, input as never, prepared as never);
  if (output === null) return { status: http.status, body: null };
  if (http.eventStream) {
    return { status: http.status, body: writeEvents(output, result as AsyncIterable<StreamEvent>) };
  }
  if (http.download) return { status: http.status, body: result as AsyncIterable<string> };
  if (http.image) return { status: http.status, body: result as ImageFile };
  if (streamsIn(output)) return { status: http.status, body: writeJson(output, result as never) };
  const shown = output.parse(result);
  const status = http.also?.applies(shown as never) ? http.also.status : http.status;
  return { status, body: JSON.stringify(shown) };
}

/** For callers inside the program: the value, limited to its output shape; for an event stream, the events as they arrive. */
export async function runForValue<Context>(
  operation: Operation<Context>,
  context: Context,
  input: unknown,
  prepared?: unknown,
): Promise<unknown> {
  const { http, output } = operation;
  if (http.download || http.image || (output && !http.eventStream && streamsIn(output))) {
    throw new Error(`${operation.name}: a streamed reply cannot be returned as a value`);
  }
  const result = await operation.run(context, input as never, prepared as never);
  return output === null || http.eventStream ? result : output.parse(result);
}

/** Formats server-sent events; `JSON.stringify` writes no line breaks. */
async function* writeEvents(shape: z.ZodType, events: AsyncIterable<StreamEvent>): AsyncGenerator<string> {
  yield ': open\n\n';
  for await (const { data, id, kind } of events) {
    yield kind === ''
      ? ': still here\n\n'
      : `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(shape.parse(data))}\n\n`;
  }
}

/** The contract's rule: only these endpoints accept an API key. */
export function keyAcceptingEndpoints(operations: readonly Operation[]): string[] {
  return operations
    .filter((operation) => operation.accepts.includes('key'))
    .map(({ http }) => `${http.method} ${http.path}`);
}
