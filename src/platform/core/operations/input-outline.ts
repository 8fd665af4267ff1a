/**
 * Reduces a JSON value to the parts that an input shape looks at. The result passes the same checks with the same errors, and costs
 * little to send from one thread to another, however large or deeply nested the rest was.
 */
import { z } from 'zod';
import { fold, MAX_ERRORS, MAX_NEAR_MISS_LENGTH, maxEntries, unwrap } from './read-input.ts';

/** Plain data, so that it can be sent to a thread. */
export type Outline =
  /** `folded`: its names, in the form in which misspelled ones are recognized. */
  | { kind: 'fields'; fields: Record<string, Outline>; folded: string[] }
  | { kind: 'entries'; max: number; entry: Outline }
  | { kind: 'scalar' }
  /** Any value: all of it is needed. */
  | { kind: 'whole' };

export function outlineOf(shape: z.ZodType): Outline {
  const inner = unwrap(shape);
  if (inner instanceof z.ZodObject) return fieldsOf(Object.entries(inner.shape as Record<string, z.ZodType>));
  if (inner instanceof z.ZodArray)
    return { kind: 'entries', max: maxEntries(inner), entry: outlineOf(inner.element as z.ZodType) };
  if (inner instanceof z.ZodPipe) return outlineOf(inner.in as z.ZodType);
  if (inner instanceof z.ZodUnion) return outlineOfUnion(inner.options as z.ZodType[]);
  return SCALARS.some((scalar) => inner instanceof scalar) ? { kind: 'scalar' } : { kind: 'whole' };
}

const SCALARS = [
  z.ZodString,
  z.ZodStringFormat,
  z.ZodNumber,
  z.ZodBoolean,
  z.ZodEnum,
  z.ZodLiteral,
  z.ZodNull,
];

function fieldsOf(fields: [string, z.ZodType][]): Outline {
  const outlines = fields.map(([name, field]) => [name, outlineOf(field)] as const);
  return { kind: 'fields', fields: Object.fromEntries(outlines), folded: fields.map(([name]) => fold(name)) };
}

/** Objects with different fields together have all of them. Misspelled names are not looked for in a union. */
function outlineOfUnion(options: z.ZodType[]): Outline {
  const outlines = options.map(outlineOf);
  if (outlines.every(({ kind }) => kind === 'scalar')) return { kind: 'scalar' };
  const fields: Record<string, Outline> = {};
  for (const outline of outlines) {
    if (outline.kind !== 'fields') return { kind: 'whole' };
    for (const [name, field] of Object.entries(outline.fields)) {
      const isSame = !Object.hasOwn(fields, name) || JSON.stringify(fields[name]) === JSON.stringify(field);
      fields[name] = isSame ? field : { kind: 'whole' };
    }
  }
  return { kind: 'fields', fields, folded: [] };
}

/** The value without what the shape ignores. Whether a list or an object is where it should not be stays visible. */
export function reduceTo(outline: Outline, value: unknown): unknown {
  if (outline.kind === 'whole' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (outline.kind !== 'entries') return [];
    // One more than allowed shows that there are too many.
    return value.slice(0, outline.max + 1).map((entry) => reduceTo(outline.entry, entry));
  }
  return outline.kind === 'fields' ? reduceFields(outline, value as Record<string, unknown>) : {};
}

function reduceFields(
  { fields, folded }: Outline & { kind: 'fields' },
  value: Record<string, unknown>,
): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  const names = Object.keys(value);
  let misspelled = 0;
  for (const name of names) {
    if (Object.hasOwn(fields, name)) kept.push([name, reduceTo(fields[name]!, value[name])]);
    else if (misspelled < MAX_ERRORS && name.length <= MAX_NEAR_MISS_LENGTH && folded.includes(fold(name))) {
      misspelled += 1;
      kept.push([name, null]);
    }
  }
  // A PATCH in which no field is known is refused, an empty one is not.
  return Object.fromEntries(kept.length > 0 || names.length === 0 ? kept : [[names[0]!, null]]);
}
