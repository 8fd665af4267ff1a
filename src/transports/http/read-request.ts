/** Reads an operation's input from the path, query string and body, and reports all errors at once. */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { FieldError } from '../../platform/core/errors/errors.ts';
import { outlineOf } from '../../platform/core/operations/input-outline.ts';
import { fieldsKeptAsSent, JsonSource, sourceOfMember } from '../../platform/core/operations/json-source.ts';
import {
  type Operation,
  pathParameters,
  readsQuery,
  type VendorSettings,
} from '../../platform/core/operations/operation.ts';
import { checkInput, knowsNone, refuseErrors, unwrap } from '../../platform/core/operations/read-input.ts';
import { settingErrors } from '../../platform/core/operations/shapes.ts';
import type { WantedJson } from './parse-json.ts';
import type { JsonBody } from './request-body.ts';

type Fields = Record<string, unknown>;

const NOTHING = { value: {} as Fields, errors: [] as FieldError[] };

/** Prepares, once for each operation, the function that reads its requests; `found` holds errors found earlier. */
export function inputReader(
  operation: Operation,
  settings: VendorSettings,
): (request: FastifyRequest, found: FieldError[]) => Fields {
  const names = Object.fromEntries(pathParameters(operation).map((name) => [name, true])) as never;
  const inPath = operation.input.pick(names);
  const outsidePath = operation.input.omit(names);
  const asSent = fieldsKeptAsSent(outsidePath);
  const patch = operation.http.method === 'PATCH';
  const isRead = readsQuery(operation);
  const readPathOf =
    Object.keys(names).length === 0
      ? () => NOTHING
      : (params: Record<string, string>) => checkInput(inPath, readPath(inPath, params));

  return (request, found) => {
    const errors = [...found];
    const path = readPathOf(request.params as Record<string, string>);
    errors.push(...path.errors);
    const sent = isRead
      ? readQuery(outsidePath, request.query as Fields, errors)
      : readBody(request.body as JsonBody | undefined, asSent, errors);
    const rest = sent && checkInput(outsidePath, sent);
    if (sent) errors.push(...settingErrors(outsidePath, sent, settings));
    // A misspelled name has its own, more precise error.
    if (patch && sent && rest?.errors.length === 0 && knowsNone(outsidePath, sent)) {
      const known = Object.keys(outsidePath.shape).join(', ');
      errors.push({ path: '', message: `the body has no known field; known fields: ${known}` });
    }
    refuseErrors(rest ? errors.concat(rest.errors) : errors);
    return { ...path.value, ...rest!.value };
  };
}

/** Must cover everything that the function above reads. */
export function wantedJson(operation: Operation): WantedJson {
  const names = Object.fromEntries(pathParameters(operation).map((name) => [name, true])) as never;
  const outsidePath = operation.input.omit(names);
  const asSent = fieldsKeptAsSent(outsidePath);
  const outline = outlineOf(outsidePath);
  if (outline.kind === 'fields') for (const name of asSent) outline.fields[name] = { kind: 'scalar' };
  return { outline, asSent };
}

/** The fields of the body, or undefined when it has none to check. */
function readBody(body: JsonBody | undefined, asSent: string[], errors: FieldError[]): Fields | undefined {
  const value = body?.value === undefined ? {} : body.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    errors.push({ path: '', message: 'the body must be a JSON object' });
    return undefined;
  }
  // Changed in place, since nothing else uses it: copying a body with many fields costs more than reading it.
  const sent = value as Fields;
  for (const name of asSent) {
    const member = sent[name];
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
      sent[name] = new JsonSource((body!.sources ? body!.sources[name] : sourceOfMember(body!.text, name))!);
    }
  }
  return sent;
}

/** Path parameters are text: numbers are parsed according to the shape. */
function readPath(shape: z.ZodObject, params: Record<string, string>): Fields {
  const fields = shape.shape as Record<string, z.ZodType>;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, fromText(fields[name]!, value)]),
  );
}

/** Query parameters are text: numbers and booleans are parsed according to the shape. */
function readQuery(shape: z.ZodObject, query: Fields, errors: FieldError[]): Fields {
  const sent: Fields = {};
  for (const [name, value] of Object.entries(query)) {
    const field = Object.hasOwn(shape.shape, name) ? (shape.shape[name] as z.ZodType) : undefined;
    const repeated = Array.isArray(value);
    if (repeated) errors.push({ path: name, message: 'must not be repeated' });
    const text = String(repeated ? value[0] : value);
    if (text === '' && field?.isOptional()) continue;
    sent[name] = field ? fromText(field, text) : text;
  }
  return sent;
}

function fromText(field: z.ZodType, value: string): unknown {
  const inner = unwrap(field);
  if (inner instanceof z.ZodNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (inner instanceof z.ZodBoolean) {
    if (/^(true|1)$/i.test(value)) return true;
    if (/^(false|0)$/i.test(value)) return false;
  }
  return value;
}
