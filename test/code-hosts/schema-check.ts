/** Checks a value against a schema of an OpenAPI 3.0 document. Throws for keywords it doesn't know, so that it is never lax. */

export interface Schema {
  [keyword: string]: unknown;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

export interface Operation {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content?: Record<string, { schema: Schema }>; required?: boolean };
  responses: Record<string, Response | { $ref: string }>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

export interface Response {
  content?: Record<string, { schema?: Schema; examples?: Record<string, unknown> }>;
}

const IGNORED = new Set([
  ...[
    'title',
    'description',
    'example',
    'examples',
    'default',
    'deprecated',
    'format',
    'readOnly',
    'writeOnly',
  ],
  ...['externalDocs', 'discriminator', 'x-multi-segment', 'x-github-breaking-changes', 'xml', 'uniqueItems'],
]);

export function resolve<Value>(document: OpenApiDocument, value: Value | { $ref: string }): Value {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value as Value;
  const [, , kind, name] = (value.$ref as string).split('/');
  return resolve(document, document.components[kind!]![name!] as Value);
}

/** Lists errors as `path: why`; empty if the value is valid. */
export function misfits(document: OpenApiDocument, schema: Schema, value: unknown, path = ''): string[] {
  const full = resolve(document, schema);
  if (value === null) return full.nullable === true || allowsNull(document, full) ? [] : [`${path}: is null`];
  const found: string[] = [];
  for (const [keyword, argument] of Object.entries(full))
    found.push(...misfitsOf(document, keyword, argument, value, path, full));
  return found;
}

function allowsNull(document: OpenApiDocument, schema: Schema): boolean {
  const options = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (options) return options.some((one) => misfits(document, one, null).length === 0);
  return (
    (schema.enum as unknown[] | undefined)?.includes(null) ?? (schema.type === undefined && !schema.allOf)
  );
}

function misfitsOf(
  document: OpenApiDocument,
  keyword: string,
  argument: unknown,
  value: unknown,
  path: string,
  schema: Schema,
): string[] {
  switch (keyword) {
    case 'type':
      return isOfType(value, argument as string) ? [] : [`${path}: is not of type ${argument as string}`];
    case 'enum':
      return (argument as unknown[]).includes(value) ? [] : [`${path}: ${String(value)} is not in the enum`];
    case 'required':
      return isObject(value)
        ? (argument as string[])
            .filter((name) => !(name in value))
            .map((name) => `${path}.${name}: is missing`)
        : [];
    case 'properties':
      return isObject(value)
        ? Object.entries(argument as Record<string, Schema>).flatMap(([name, property]) =>
            name in value ? misfits(document, property, value[name], `${path}.${name}`) : [],
          )
        : [];
    case 'additionalProperties': {
      if (!isObject(value) || argument === true) return [];
      const known = Object.keys((schema.properties ?? {}) as object);
      const others = Object.entries(value).filter(([name]) => !known.includes(name));
      return argument === false
        ? others.map(([name]) => `${path}.${name}: is not known`)
        : others.flatMap(([name, one]) => misfits(document, argument as Schema, one, `${path}.${name}`));
    }
    case 'items':
      return Array.isArray(value)
        ? value.flatMap((item, index) => misfits(document, argument as Schema, item, `${path}.${index}`))
        : [];
    case 'allOf':
      return (argument as Schema[]).flatMap((one) => misfits(document, one, value, path));
    case 'anyOf':
    case 'oneOf': {
      const results = (argument as Schema[]).map((one) => misfits(document, one, value, path));
      return results.some((result) => result.length === 0) ? [] : results[0]!;
    }
    case 'pattern':
      return typeof value === 'string' && !new RegExp(argument as string, 'u').test(value)
        ? [`${path}: has another form`]
        : [];
    case 'minimum':
      return (value as number) < (argument as number) ? [`${path}: is too small`] : [];
    case 'maximum':
      return (value as number) > (argument as number) ? [`${path}: is too large`] : [];
    case 'minLength':
      return typeof value === 'string' && value.length < (argument as number)
        ? [`${path}: is too short`]
        : [];
    case 'maxLength':
      return typeof value === 'string' && value.length > (argument as number) ? [`${path}: is too long`] : [];
    case 'minItems':
      return Array.isArray(value) && value.length < (argument as number)
        ? [`${path}: has too few items`]
        : [];
    case 'maxItems':
      return Array.isArray(value) && value.length > (argument as number)
        ? [`${path}: has too many items`]
        : [];
    case 'minProperties':
    case 'maxProperties':
    case 'nullable':
      return [];
    default:
      if (IGNORED.has(keyword)) return [];
      throw new Error(`${path}: the keyword ${keyword} is not known`);
  }
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
