/** The building blocks of every input and output shape: text with limits in code points, uuids, timestamps, secrets. */
import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import { jsonObjectAsSentCheck } from './json-source.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether it is a uuid as we write it: in a cursor of ours, say. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Counts Unicode code points, but stops as soon as the answer is known to be above `most`. */
export function exceedsCodePoints(value: string, most: number): boolean {
  if (value.length <= most) return false;
  if (value.length > most * 2) return true;
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

/** JavaScript's white space and U+0085, which Unicode counts as white space too. */
const SAYS_SOMETHING = /[^\s\u0085]/;

function textProblem(
  value: string,
  limits: { min: number; max: number; blank: boolean },
): string | undefined {
  if (value.includes('\0')) return 'must not contain the NUL character';
  if (!value.isWellFormed()) return 'must not contain half of a surrogate pair';
  if (!limits.blank && !SAYS_SOMETHING.test(value)) return 'must not be blank';
  if (limits.min > 0 && !exceedsCodePoints(value, limits.min - 1)) {
    return limits.min === 1 ? 'must not be empty' : `must have at least ${limits.min} characters`;
  }
  if (exceedsCodePoints(value, limits.max)) {
    return `must have at most ${limits.max.toLocaleString('en-US')} characters`;
  }
  return undefined;
}

/** Text that PostgreSQL can hold without loss. `max` counts code points, as JSON Schema's maxLength does. */
export function text(limits: { min?: number; max: number; blank?: boolean }) {
  const { min = 0, max, blank = true } = limits;
  const least = blank ? min : Math.max(1, min);
  return z
    .string()
    .superRefine((value, context) => {
      const message = textProblem(value, { min, max, blank });
      if (message) context.addIssue({ code: 'custom', message });
    })
    .meta({ ...(least > 0 && { minLength: least }), maxLength: max, ...(!blank && { pattern: '\\S' }) });
}

/** Text that must say something: white space alone is refused. */
export function requiredText(limits: { min?: number; max: number }) {
  return text({ ...limits, blank: false });
}

/** Text that must be one of a setting's values. The operation checks it with `requireSettingValue`; documents list the values. */
export function settingValue(setting: 'agentVendors', limits: { max: number }) {
  return requiredText(limits).meta({ 'x-setting': setting });
}

export function requireSettingValue(path: string, value: string, accepted: readonly string[]): void {
  if (!accepted.includes(value)) {
    throw invalidRequest([{ path, message: `must be one of ${accepted.join(', ')}` }]);
  }
}

/** In a JSON Schema made of shapes: what the setting allows in this installation, in place of the setting's name. */
export function listSettingValues(
  schema: Record<string, unknown>,
  settings: Record<'agentVendors', readonly string[]>,
): void {
  const setting = schema['x-setting'];
  if (setting !== 'agentVendors') return;
  for (const name of ['x-setting', 'minLength', 'maxLength', 'pattern']) delete schema[name];
  schema.enum = [...settings[setting]];
}

/** Any 8-4-4-4-12 hex digits, whatever the version bits; answered in lower case. */
export function uuid() {
  return z
    .string()
    .regex(UUID, 'must be a uuid such as 0198c1f2-7a3b-7c4d-8e5f-0123456789ab')
    .toLowerCase()
    .meta({ format: 'uuid', pattern: undefined });
}

/** RFC 3339, UTC, milliseconds, `Z`: as `Date.prototype.toISOString` writes it. */
export function timestamp() {
  return z.string().meta({ format: 'date-time' });
}

const STREAMED_SHAPES = new WeakSet<z.ZodType>();

/** A list of any length in a reply: the operation gives an async iterable of batches, which is written as it comes. */
export function streamedArray<Element extends z.ZodType>(element: Element, description: string) {
  const shape = z.array(element).describe(description);
  STREAMED_SHAPES.add(shape);
  return shape;
}

export function isStreamed(shape: z.ZodType): shape is z.ZodArray {
  return STREAMED_SHAPES.has(shape);
}

const SECRET_SHAPES = new WeakSet<z.ZodType>();

/** A value that leaves once and is never stored; an operation whose reply holds one cannot be replayed. */
export function secretText(description: string) {
  const shape = z.string().meta({ description });
  SECRET_SHAPES.add(shape);
  return shape;
}

/** Whether a secret stands anywhere inside an output shape. */
export function holdsSecret(shape: z.ZodType): boolean {
  if (SECRET_SHAPES.has(shape)) return true;
  if (shape instanceof z.ZodObject)
    return Object.values(shape.shape).some((field) => holdsSecret(field as z.ZodType));
  if (shape instanceof z.ZodArray) return holdsSecret(shape.element as z.ZodType);
  if (shape instanceof z.ZodUnion) return shape.options.some((option) => holdsSecret(option as z.ZodType));
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return holdsSecret(shape.unwrap() as z.ZodType);
  return false;
}

/** A free-form JSON object, kept to the letter as it was sent; the operation receives its JSON text. */
export function jsonObjectAsSent() {
  return jsonObjectAsSentCheck().meta({ type: 'object', additionalProperties: true });
}
