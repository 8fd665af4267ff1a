/** The building blocks of every input and output shape: text with limits in code points, uuids, timestamps, secrets. */
import { z } from 'zod';
import { type FieldError, invalidRequest } from '../errors/errors.ts';
import { jsonObjectAsSentCheck } from './json-source.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether it is a UUID in the form we write, for example in our cursors. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** Whether the text has more than `max` Unicode code points; stops counting as soon as that is known. */
export function exceedsCodePoints(value: string, max: number): boolean {
  if (value.length <= max) return false;
  if (value.length > max * 2) return true;
  let count = 0;
  for (const _ of value) {
    count += 1;
    if (count > max) return true;
  }
  return false;
}

/** Anything but JavaScript's whitespace and U+0085, which Unicode counts as whitespace too. */
const NOT_BLANK = /[^\s\u0085]/;

function textProblem(
  value: string,
  limits: { min: number; max: number; blank: boolean },
): string | undefined {
  if (value.includes('\0')) return 'must not contain the NUL character';
  if (!value.isWellFormed()) return 'must not contain half of a surrogate pair';
  if (!limits.blank && !NOT_BLANK.test(value)) return 'must not be blank';
  if (limits.min > 0 && !exceedsCodePoints(value, limits.min - 1)) {
    return limits.min === 1 ? 'must not be empty' : `must have at least ${limits.min} characters`;
  }
  if (exceedsCodePoints(value, limits.max)) {
    return `must have at most ${limits.max.toLocaleString('en-US')} characters`;
  }
  return undefined;
}

/** Text that PostgreSQL can store without loss. `max` counts code points, like JSON Schema's maxLength. */
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

/** Text that must not be blank. */
export function requiredText(limits: { min?: number; max: number }) {
  return text({ ...limits, blank: false });
}

/** Text that must be one of a setting's values. The operation checks it with `requireSettingValue`; schemas list the values. */
export function settingValue(setting: 'agentVendors', limits: { max: number }) {
  return requiredText(limits).meta({ 'x-setting': setting });
}

export function requireSettingValue(path: string, value: string, accepted: readonly string[]): void {
  if (!accepted.includes(value)) throw invalidRequest([notAccepted(path, accepted)]);
}

/** The fields whose value none of the settings allows, so that a request's other errors are listed beside them. */
export function settingErrors(
  shape: z.ZodObject,
  sent: Record<string, unknown>,
  settings: Record<'agentVendors', readonly string[]>,
): FieldError[] {
  return Object.entries(shape.shape as Record<string, z.ZodType>).flatMap(([path, field]) => {
    const value = sent[path];
    if (field.meta()?.['x-setting'] !== 'agentVendors' || typeof value !== 'string' || value.trim() === '') {
      return [];
    }
    return settings.agentVendors.includes(value) ? [] : [notAccepted(path, settings.agentVendors)];
  });
}

function notAccepted(path: string, accepted: readonly string[]): FieldError {
  return { path, message: `must be one of ${accepted.join(', ')}` };
}

/** Replaces a setting's name in a JSON Schema by the values that this installation allows. */
export function listSettingValues(
  schema: Record<string, unknown>,
  settings: Record<'agentVendors', readonly string[]>,
): void {
  const setting = schema['x-setting'];
  if (setting !== 'agentVendors') return;
  for (const name of ['x-setting', 'minLength', 'maxLength', 'pattern']) delete schema[name];
  schema.enum = [...settings[setting]];
}

/** Any 8-4-4-4-12 hex digits, whatever the version bits; returned in lowercase. */
export function uuid() {
  return z
    .string()
    .regex(UUID, 'must be a UUID such as 0198c1f2-7a3b-7c4d-8e5f-0123456789ab')
    .toLowerCase()
    .meta({ format: 'uuid', pattern: undefined });
}

/** RFC 3339, UTC, milliseconds, `Z`: as `Date.prototype.toISOString` writes it. */
export function timestamp() {
  return z.string().meta({ format: 'date-time' });
}

const STREAMED_SHAPES = new WeakSet<z.ZodType>();

/** A list of any length in a reply: the operation returns an async iterable of batches, which is streamed. */
export function streamedArray<Element extends z.ZodType>(element: Element, description: string) {
  const shape = z.array(element).describe(description);
  STREAMED_SHAPES.add(shape);
  return shape;
}

export function isStreamed(shape: z.ZodType): shape is z.ZodArray {
  return STREAMED_SHAPES.has(shape);
}

const SECRET_SHAPES = new WeakSet<z.ZodType>();

/** A value that is returned once and never stored; an operation whose reply contains one cannot be replayed. */
export function secretText(description: string) {
  const shape = z.string().meta({ description });
  SECRET_SHAPES.add(shape);
  return shape;
}

/** Whether an output shape contains a secret at any depth. */
export function containsSecret(shape: z.ZodType): boolean {
  if (SECRET_SHAPES.has(shape)) return true;
  if (shape instanceof z.ZodObject)
    return Object.values(shape.shape).some((field) => containsSecret(field as z.ZodType));
  if (shape instanceof z.ZodArray) return containsSecret(shape.element as z.ZodType);
  if (shape instanceof z.ZodUnion) return shape.options.some((option) => containsSecret(option as z.ZodType));
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return containsSecret(shape.unwrap() as z.ZodType);
  return false;
}

/** A free-form JSON object, kept exactly as sent; the operation receives its JSON text. */
export function jsonObjectAsSent() {
  return jsonObjectAsSentCheck().meta({ type: 'object', additionalProperties: true });
}
