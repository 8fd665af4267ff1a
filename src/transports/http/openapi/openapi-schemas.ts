/** Turns zod shapes into the JSON Schemas of the OpenAPI document; named shapes become shared components. */
import { z } from 'zod';
import type { VendorSettings } from '../../../platform/core/operations/operation.ts';
import { listSettingValues } from '../../../platform/core/operations/shapes.ts';

export type JsonSchema = Record<string, unknown>;

/** The schema of errors, which belongs to no operation. */
const RESERVED_NAME = 'Problem';

/** Collects the shapes that carry an id (`.meta({ id: 'Plan' })`) while the operations are described. */
export class SchemaCollection {
  readonly #named = new Map<string, JsonSchema>();
  readonly #settings: VendorSettings;

  constructor(settings: VendorSettings) {
    this.#settings = settings;
  }

  /** The schema of a request (`input`) or a reply (`output`); `owner` names recursive shapes without an id. */
  describe(shape: z.ZodType, io: 'input' | 'output', owner: string): JsonSchema {
    const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => simplify(jsonSchema, this.#settings);
    // Wrapped, so that a recursive shape refers to a definition instead of the root of the document.
    const wrapped = z.toJSONSchema(z.object({ shape }), { io, unrepresentable: 'any', override });
    const nameOf = (key: string) => (key.startsWith('__') ? `${owner}${key.replace('__schema', '-')}` : key);
    const rename = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(rename);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, entry]) => entry !== undefined)
          .map(([key, entry]) => [
            key,
            key === '$ref' ? toComponent(entry as string, nameOf) : rename(entry),
          ]),
      );
    };
    for (const [key, schema] of Object.entries(wrapped.$defs ?? {})) {
      this.#add(nameOf(key), rename(schema) as JsonSchema);
    }
    return rename(wrapped.properties!.shape) as JsonSchema;
  }

  /** Sorted by name, so that the document does not depend on the order of the operations. */
  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #add(name: string, schema: JsonSchema): void {
    const known = this.#named.get(name);
    if (name === RESERVED_NAME || (known && JSON.stringify(known) !== JSON.stringify(schema))) {
      throw new Error(`Two different shapes are called ${name}; give one of them another id`);
    }
    this.#named.set(name, schema);
  }
}

function toComponent(reference: string, nameOf: (key: string) => string): string {
  return `#/components/schemas/${nameOf(reference.replace('#/$defs/', ''))}`;
}

function simplify(jsonSchema: JsonSchema, settings: VendorSettings): void {
  listSettingValues(jsonSchema, settings);
  // Replies may gain fields within a version: clients that validate them must accept new ones.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  joinNull(jsonSchema);
}

/** `anyOf: [{type: string}, {type: null}]` as `type: [string, null]`, which is easier to read. */
function joinNull(schema: JsonSchema): void {
  const [value, nothing, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (!value || nothing?.type !== 'null' || more.length > 0) return;
  if (typeof value.type !== 'string' || value.const !== undefined) return;
  delete schema.anyOf;
  for (const [key, entry] of Object.entries(value)) schema[key] ??= entry;
  schema.type = [value.type, 'null'];
  if (Array.isArray(value.enum)) schema.enum = [...value.enum, null];
}
