/**
 * An operation: one capability as one value. Routes, MCP tools, the OpenAPI document, the list of key-accepting
 * endpoints and the typed client are projections of it.
 */
import type { z } from 'zod';
import type { CredentialKind } from './actor.ts';
import type { ProblemCode } from './errors.ts';
import { holdsSecret } from './shapes.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Operation<Context = never> {
  /** verb-noun, the same as its file's name. */
  name: string;
  /** The group it stands under in the API document. */
  group: string;
  summary: string;
  description?: string;
  http: { method: Method; path: `/api/v2/${string}`; status: 200 | 201 | 204 };
  /** Which credentials open it; an empty list means that none is needed. */
  accepts: readonly CredentialKind[];
  /** Honours `Idempotency-Key`: the whole run is one transaction, and its reply is kept for a day. */
  idempotent?: boolean;
  input: z.ZodObject;
  /** The shape of the reply, or null when there is no body. */
  output: z.ZodType | null;
  /** What it may answer besides the problems that every operation has. */
  problems: readonly ProblemCode[];
  /** In this order: permission, load, decide, write in one transaction, present. Knows neither HTTP nor MCP. */
  run(context: Context, input: never): Promise<unknown>;
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

export function pathParameters(operation: Operation): string[] {
  return [...operation.http.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
}

/** Whether the fields that are not in the path come from the query string (else from the body). */
export function readsQuery(operation: Operation): boolean {
  return operation.http.method === 'GET' || operation.http.method === 'DELETE';
}

/** Runs it and lets out only what its output shape names. */
export async function runOperation<Context>(
  operation: Operation<Context>,
  context: Context,
  input: unknown,
): Promise<unknown> {
  const result = await operation.run(context, input as never);
  return operation.output === null ? undefined : operation.output.parse(result);
}

/** The contract's rule: only these endpoints accept an API key. */
export function keyAcceptingEndpoints(operations: readonly Operation[]): string[] {
  return operations
    .filter((operation) => operation.accepts.includes('key'))
    .map(({ http }) => `${http.method} ${http.path}`);
}
