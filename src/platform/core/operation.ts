/**
 * An operation: one capability as one value. Routes, MCP tools, the OpenAPI document, the list of key-accepting
 * endpoints and the typed client are projections of it.
 */
import type { z } from 'zod';
import { type Actor, type CredentialKind, hasRole, type Role } from './actor.ts';
import { Problem, type ProblemCode } from './errors.ts';
import { streamsIn, writeJson } from './json-stream.ts';
import { holdsSecret } from './shapes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Status = 200 | 201 | 204;

/** One event of a stream; its id is what a client sends as `since` (or `Last-Event-ID`) to go on after it. */
export interface StreamEvent<Data = unknown> {
  id: string;
  kind: string;
  data: Data;
}

/** A way to call an operation: over REST with a credential of one kind, or over MCP with any credential that `/mcp` accepts. */
export type Access = CredentialKind | 'mcp';

export type Transport = 'rest' | 'mcp';

export interface Operation<Context = never> {
  /** verb-noun, the same as its file's name. */
  name: string;
  /** The group it stands under in the API document. */
  group: string;
  summary: string;
  description?: string;
  http: {
    method: Method;
    path: `/api/v2/${string}`;
    status: Status;
    /** A second way to succeed, told by the reply itself. */
    also?: { status: Status; when: string; applies(output: never): boolean };
    /** Server-sent events: `run` gives an async iterable of `StreamEvent`, and `output` is the shape of one's data. */
    eventStream?: true;
    /** A file: `run` gives its text in pieces, as an async iterable, and `output` describes the whole. */
    download?: { contentType: string; fileName: string };
  };
  /** How it may be called; an empty list means over REST, without a credential. */
  accepts: readonly Access[];
  /** The lowest role that may call it, or null when no credential is needed. Finer rules are checked in `run`. */
  role: Role | null;
  /** Honours `Idempotency-Key`: the whole run is one transaction, and its reply is kept for a day. */
  idempotent?: boolean;
  input: z.ZodObject;
  /** The shape of the reply, or null when there is no body. */
  output: z.ZodType | null;
  /** What it may answer besides the problems that every operation has. */
  problems: readonly ProblemCode[];
  /** A request and its reply for the API reference; a test checks both against the shapes. */
  example?: { request: Record<string, unknown>; reply?: unknown };
  /** Work on the input alone that takes a while: done before a transaction is begun. `run` gets what comes of it. */
  prepare?(input: never): Promise<unknown>;
  /** In this order: finer permissions, load, decide, write in one transaction, present. Knows neither HTTP nor MCP. */
  run(context: Context, input: never, prepared: never): Promise<unknown>;
}

/** The operator's settings that operations depend on. */
export interface OperationSettings {
  agentVendors: readonly string[];
  /** Whether requests that people ask for may go to this machine and to private networks. */
  allowPrivateAddresses: boolean;
  /** Whether repositories that people add may lie on this machine. */
  allowLocalRepositories: boolean;
  dataDir: string;
}

/** Refuses, when the program starts, a definition that could do harm. */
export function checkOperation(operation: Operation): void {
  if (operation.idempotent && operation.output && holdsSecret(operation.output)) {
    throw new Error(`${operation.name}: a reply that holds a secret must not be kept for replay`);
  }
  if ((operation.http.status === 204) !== (operation.output === null)) {
    throw new Error(`${operation.name}: a reply has a body unless its status is 204`);
  }
  for (const name of pathParameters(operation)) {
    if (!Object.hasOwn(operation.input.shape, name)) {
      throw new Error(`${operation.name}: its input lacks the path parameter ${name}`);
    }
  }
}

/** Throws unless the operation may be called over this transport by this actor. Both transports call it before anything else. */
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

/** Whether the fields that are not in the path come from the query string (else from the body). */
export function readsQuery(operation: Operation): boolean {
  return operation.http.method === 'GET' || operation.http.method === 'DELETE';
}

/** The credentials that its REST endpoint accepts. */
export function restCredentials(operation: Pick<Operation, 'accepts'>): CredentialKind[] {
  return operation.accepts.filter((access) => access !== 'mcp');
}

/** What an operation answers: the status, and the body as one text, as pieces, or none. */
export interface OperationReply {
  status: Status;
  body: string | AsyncIterable<string> | null;
}

/** Runs it and lets out only what its output shape names. */
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
  if (streamsIn(output)) return { status: http.status, body: writeJson(output, result as never) };
  const shown = output.parse(result);
  const status = http.also?.applies(shown as never) ? http.also.status : http.status;
  return { status, body: JSON.stringify(shown) };
}

/** For a caller inside the program: the value that the output shape lets out; of an event stream, the events as they come. */
export async function runForValue<Context>(
  operation: Operation<Context>,
  context: Context,
  input: unknown,
  prepared?: unknown,
): Promise<unknown> {
  const { http, output } = operation;
  if (http.download || (output && !http.eventStream && streamsIn(output))) {
    throw new Error(`${operation.name}: a reply of any length is written, not held`);
  }
  const result = await operation.run(context, input as never, prepared as never);
  return output === null || http.eventStream ? result : output.parse(result);
}

/** As server-sent events are written; JSON has no line breaks of its own. */
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
