/** Generates inputs for any operation from its schema: valid, almost valid and invalid ones. */
import fc from 'fast-check';
import { z } from 'zod';
import { readConfig } from '../../../src/config.ts';
import { type Operation, pathParameters } from '../../../src/platform/core/operations/operation.ts';
import { listSettingValues } from '../../../src/platform/core/operations/shapes.ts';
import { anyCharacter } from '../text/any-character.ts';

const DEFAULTS = readConfig({});

type Schema = Record<string, unknown>;
export type Fields = Record<string, unknown>;

const FIRST_DAY = new Date('2020-01-01');
const LAST_DAY = new Date('2040-01-01');

/** The values for ids and free text in a valid input. */
export interface Sources {
  id: fc.Arbitrary<string>;
  text: fc.Arbitrary<string>;
}

/** Text in every script with difficult characters; NUL and lone surrogates are for invalid inputs. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCharacter }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom(
    '\u202e',
    "'; DROP TABLE users; --",
    '%',
    '\\',
    '../../etc/passwd',
    '{{7*7}}',
    '$1',
    '\ufeff',
    '1e9',
  ),
);

/** Made once: making each takes as long as a request. */
const anyName = fc.string();
const anyJson = fc.jsonValue();

const schemas = new WeakMap<Operation, Schema>();

export function schemaOf(operation: Operation): Schema {
  const known = schemas.get(operation);
  if (known) return known;
  const schema = z.toJSONSchema(operation.input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => listSettingValues(jsonSchema, DEFAULTS),
  }) as Schema;
  schemas.set(operation, schema);
  return schema;
}

/** Inputs that fit the schema; what only a rule in code demands (an email address, say) they may still miss. */
export function fittingInputs(operation: Operation, sources: Sources): fc.Arbitrary<Fields> {
  const root = schemaOf(operation);
  return fitting(root, root, sources) as fc.Arbitrary<Fields>;
}

function fitting(schema: Schema, root: Schema, sources: Sources): fc.Arbitrary<unknown> {
  const again = (part: unknown) => fitting(part as Schema, root, sources);
  if (typeof schema.$ref === 'string') return again(resolve(schema.$ref, root));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const options = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (options) return fc.oneof(...options.map(again));
  switch (schema.type) {
    case 'string':
      if (schema.format === 'uuid') return sources.id;
      if (schema.format === 'date-time')
        return fc
          .date({ noInvalidDate: true, min: FIRST_DAY, max: LAST_DAY })
          .map((date) => date.toISOString());
      return fittingText(schema, sources.text);
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -1000), max: bound(schema.maximum, 1000) });
    case 'number':
      return fc.double({ min: bound(schema.minimum, -1e6), max: bound(schema.maximum, 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = (schema.minItems as number) ?? 0;
      return fc.array(again(schema.items ?? {}), {
        minLength,
        maxLength: Math.min((schema.maxItems as number) ?? 5, minLength + 5),
      });
    }
    case 'object':
      return schema.properties
        ? fittingObject(schema, again)
        : fc.dictionary(anyName, anyJson, { maxKeys: 5 });
    default:
      return anyJson;
  }
}

function fittingObject(
  schema: Schema,
  again: (part: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Fields> {
  const fields = Object.entries(schema.properties as Record<string, Schema>);
  const model = Object.fromEntries(fields.map(([name, part]) => [name, again(part)]));
  return fc.record(model, {
    requiredKeys: ((schema.required as string[]) ?? []) as never,
  }) as fc.Arbitrary<Fields>;
}

function fittingText(schema: Schema, text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { maxLength: max = 1000, minLength: min = 0, pattern } = schema as Record<string, never>;
  const cut = text.map((value) => [...value].slice(0, max).join(''));
  if (String(pattern ?? '').includes('@'))
    return cut.map((value) => `${value.replaceAll(/[\s@]/g, '.')}@mail.example`);
  const atTheEdge = fc.constantFrom('a', '😀').map((character) => character.repeat(Math.min(max, 70_000)));
  const filled =
    pattern || min > 0 ? cut.filter((value) => /\S/.test(value) && [...value].length >= min) : cut;
  return fc.oneof({ weight: 9, arbitrary: filled }, { weight: 1, arbitrary: atTheEdge });
}

/** Valid inputs with one mutation. */
export function unfittingInputs(operation: Operation, sources: Sources): fc.Arbitrary<Fields> {
  const properties = (schemaOf(operation).properties ?? {}) as Record<string, Schema>;
  const name = fc.constantFrom(...Object.keys(properties), 'unknown');
  const spoil: fc.Arbitrary<(input: Fields) => void> = fc.oneof(
    fc.tuple(name, trouble).map(([field, value]) => (input: Fields) => {
      input[field] = value;
    }),
    name.map((field) => (input: Fields) => void delete input[field]),
    name.map((field) => (input: Fields) => {
      const { maxLength = 1000, maximum = 2 ** 53, maxItems = 1000 } = properties[field] ?? {};
      const type = properties[field]?.type;
      if (type === 'array') input[field] = Array((maxItems as number) + 1).fill('x');
      else input[field] = type === 'string' ? 'a'.repeat((maxLength as number) + 1) : (maximum as number) + 1;
    }),
    fc
      .tuple(
        name,
        fc.constantFrom(
          (text: string) => text.toUpperCase(),
          (text: string) => `_${text}`,
          (text: string) => text.replaceAll(/[A-Z]/g, '_$&').toLowerCase(),
        ),
      )
      .map(([field, change]) => (input: Fields) => {
        input[change(field)] = input[field];
        delete input[field];
      }),
    fc.tuple(fc.oneof(anyName, fc.constantFrom('__proto__', 'constructor', 'toString')), trouble).map(
      ([field, value]) =>
        (input: Fields) =>
          Object.defineProperty(input, field, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          }),
    ),
  );
  return fc
    .tuple(fittingInputs(operation, sources), fc.array(spoil, { minLength: 1, maxLength: 3 }))
    .map(([input, changes]) => {
      const spoilt = { ...input };
      for (const change of changes) change(spoilt);
      return spoilt;
    });
}

/** Values that are valid nowhere, or only by accident. */
const trouble: fc.Arbitrary<unknown> = fc.oneof(
  anyJson,
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\0',
    '\ud800',
    'a\0b',
    -1,
    0,
    1.5,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { a: { b: {} } },
    true,
    'null',
    '0',
    'a'.repeat(100_000),
  ),
  fc.constant(null).map(() => Array(5_000).fill({ a: 1 })),
  fc.integer({ min: 10, max: 2_000 }).map((depth) => nested(depth)),
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
}

/** Only the required fields. */
export function withoutOptional(operation: Operation, input: Fields): Fields {
  const required = (schemaOf(operation).required as string[] | undefined) ?? [];
  return Object.fromEntries(required.map((name) => [name, input[name]]));
}

/** An input with the required fields from `known`, by their name, and more. */
export function inputFrom(operation: Operation, known: Fields, more: Fields): Fields {
  return { ...withoutOptional(operation, known), ...more };
}

/** The paths of ids in an operation's input, such as `seriesId` or `repoIds[]`. */
export function idPlaces(operation: Operation): string[] {
  const root = schemaOf(operation);
  const places: string[] = [];
  const visit = (schema: Schema, place: string): void => {
    const { $ref, ...own } = schema;
    if (typeof $ref === 'string') visit({ ...resolve($ref, root), ...own }, place);
    if (schema.format === 'uuid') places.push(place);
    for (const option of ((schema.anyOf ?? schema.oneOf) as Schema[]) ?? []) visit(option, place);
    if (schema.items) visit(schema.items as Schema, `${place}[]`);
    for (const [name, part] of Object.entries((schema.properties as Record<string, Schema>) ?? {})) {
      visit(part, place ? `${place}.${name}` : name);
    }
  };
  visit(root, '');
  return places;
}

/** Sets an id at a path of an input, creating the objects and lists on the way. */
export function withId(input: Fields, place: string, id: string): Fields {
  const copy = structuredClone(input);
  const steps = place.split('.');
  let at = copy;
  for (const step of steps.slice(0, -1)) {
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = {};
    at = at[step] as Fields;
  }
  const last = steps.at(-1)!;
  if (last.endsWith('[]')) at[last.slice(0, -2)] = [id];
  else at[last] = id;
  return copy;
}

/** Method, URL and body of a request with this input, valid or not. */
export function requestOf(
  operation: Operation,
  input: Fields,
): { method: string; path: string; body: string | undefined } {
  const { method } = operation.http;
  const rest = { ...input };
  let path: string = operation.http.path;
  for (const name of pathParameters(operation)) {
    path = path.replace(`:${name}`, () => encodeURIComponent(asText(rest[name])) || '%20');
    delete rest[name];
  }
  if (method !== 'GET' && method !== 'DELETE') return { method, path, body: JSON.stringify(rest) };
  const query = Object.entries(rest).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 3) : [value]).map(
      (entry) => `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(asText(entry))}`,
    ),
  );
  return { method, path: query.length > 0 ? `${path}?${query.join('&')}` : path, body: undefined };
}

/** Short enough for a path or a query string; the limits of a whole request are tested elsewhere. */
function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.toWellFormed().slice(0, 800);
}

function resolve(reference: string, root: Schema): Schema {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce((at, step) => at[step] as Schema, root);
}

function bound(given: unknown, otherwise: number): number {
  return typeof given === 'number' && Math.abs(given) <= 2 ** 31 ? given : otherwise;
}
