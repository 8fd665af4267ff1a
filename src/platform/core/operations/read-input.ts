/**
 * Turns what was sent into input that an operation can trust: null counts as absent where a field is optional,
 * misspelled field names are rejected, unknown names are ignored, and all errors are reported at once.
 */
import { z } from 'zod';
import { type FieldError, invalidRequest } from '../errors/errors.ts';

export const MAX_ERRORS = 1000;

/** The operation's input, or a Problem that lists every error. */
export function readInput<Shape extends z.ZodObject>(
  shape: Shape,
  sent: Record<string, unknown>,
): z.output<Shape> {
  const { errors, value } = checkInput(shape, sent);
  refuseErrors(errors);
  return value as z.output<Shape>;
}

/** Checks `sent` against the shape; the value can be trusted when there are no errors. */
export function checkInput<Shape extends z.ZodObject>(
  shape: Shape,
  sent: Record<string, unknown>,
): { errors: FieldError[]; value: z.output<Shape> | undefined } {
  const errors: FieldError[] = [];
  const tidied = tidy(shape, sent, '', errors);
  const parsed = shape.safeParse(tidied, { reportInput: true });
  for (const issue of withoutImplied(parsed.error?.issues ?? [])) errors.push(describeIssue(issue));
  return { errors, value: parsed.data };
}

export function refuseErrors(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(withoutRepeats(errors).slice(0, MAX_ERRORS));
}

/** Drops nulls that mean "absent", and reports misspelled names and overlong lists before validation. */
function tidy(shape: z.ZodType, value: unknown, path: string, errors: FieldError[]): unknown {
  const inner = unwrap(shape);
  if (inner instanceof z.ZodObject && isRecord(value)) return tidyObject(inner, value, path, errors);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    const most = maxEntries(inner);
    if (value.length > most) errors.push({ path, message: `must ${limitOf('array', most, 'most')}` });
    return value
      .slice(0, most)
      .map((entry, index) => tidy(inner.element as z.ZodType, entry, `${path}[${index}]`, errors));
  }
  return value;
}

/** A longer name is not a typo. */
export const MAX_NEAR_MISS_LENGTH = 100;

function tidyObject(shape: z.ZodObject, value: Record<string, unknown>, path: string, errors: FieldError[]) {
  const fields = shape.shape as Record<string, z.ZodType>;
  const known = new Map(Object.keys(fields).map((name) => [fold(name), name]));
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field && name.length > MAX_NEAR_MISS_LENGTH) continue;
    const fieldPath = path ? `${path}.${name}` : name;
    if (field) {
      const entry = value[name];
      if (entry === null && field.isOptional() && !field.isNullable()) continue;
      kept[name] = tidy(field, entry, fieldPath, errors);
    } else {
      const meant = known.get(fold(name));
      if (meant)
        errors.push({
          path: fieldPath,
          message: `is not a known field; did you mean \`${meant}\`? Names must match exactly`,
        });
    }
  }
  return kept;
}

/** Whether the shape knows none of the names: such a PATCH would silently do nothing. */
export function knowsNone(shape: z.ZodObject, sent: Record<string, unknown>): boolean {
  const names = Object.keys(sent);
  return names.length > 0 && !names.some((name) => Object.hasOwn(shape.shape, name));
}

/** A name without the differences that count as a typo: case, `_` and `-`. */
export function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The shape behind optional, nullable and default wrappers. */
export function unwrap(shape: z.ZodType): z.ZodType {
  let inner = shape;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** The list's maximum length; a list without one is a mistake in the shape and gets a tight default. */
export function maxEntries(shape: z.ZodArray): number {
  for (const check of shape.def.checks ?? []) {
    const rule = check._zod.def as { check: string; maximum?: number };
    if (rule.check === 'max_length' && rule.maximum !== undefined) return rule.maximum;
  }
  return 1000;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutRepeats(errors: FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ path, message }) => {
    const line = `${path}\n${message}`;
    return seen.has(line) ? false : seen.add(line);
  });
}

/** A number outside JavaScript's safe range is also outside the field's own limit, so only the latter is reported. */
function withoutImplied(issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const limited = new Set(issues.filter((issue) => isLimit(issue) && !isSafeLimit(issue)).map(pathOfIssue));
  return issues.filter((issue) => !(isSafeLimit(issue) && limited.has(pathOfIssue(issue))));
}

const isLimit = ({ code }: z.core.$ZodIssue) => code === 'too_big' || code === 'too_small';
const isSafeLimit = (issue: z.core.$ZodIssue) =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);
const pathOfIssue = (issue: z.core.$ZodIssue) => pathOf(issue.path);

const ARTICLE_OF: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** A zod issue as a message that follows the field's name. */
function describeIssue(issue: z.core.$ZodIssue): FieldError {
  const path = pathOf(issue.path);
  const say = (message: string): FieldError => ({ path, message });
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return say('is required');
      return say(`must be ${ARTICLE_OF[issue.expected] ?? issue.expected}`);
    case 'invalid_value':
      return say(
        `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`,
      );
    case 'too_small':
      return say(`must ${limitOf(issue.origin, issue.minimum, 'least')}`);
    case 'too_big':
      return say(`must ${limitOf(issue.origin, issue.maximum, 'most')}`);
    default:
      return say(issue.message);
  }
}

function limitOf(origin: string, limit: number | bigint, side: 'least' | 'most'): string {
  const amount = limit.toLocaleString('en-US');
  if (origin === 'array' || origin === 'set')
    return `have at ${side} ${amount} ${amount === '1' ? 'entry' : 'entries'}`;
  if (origin === 'string') return `have at ${side} ${amount} characters`;
  return `be at ${side} ${amount}`;
}

function pathOf(parts: readonly PropertyKey[]): string {
  return parts.reduce<string>(
    (path, part) =>
      typeof part === 'number' ? `${path}[${part}]` : path ? `${path}.${String(part)}` : String(part),
    '',
  );
}
