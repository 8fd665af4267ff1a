/**
 * JSON kept exactly as sent. Parsing and reserializing loses what JavaScript cannot represent (large numbers, `1.0`,
 * repeated keys) and overflows the stack on deep nesting, so a free-form field keeps its source text.
 */
import { z } from 'zod';

/** The source text of one JSON value, already known to be valid. */
export class JsonSource {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const AS_SENT = new WeakSet<z.ZodType>();

export function jsonObjectAsSentCheck() {
  const shape = z
    .custom<JsonSource | Record<string, unknown>>(
      (value) =>
        value instanceof JsonSource || (typeof value === 'object' && value !== null && !Array.isArray(value)),
      'must be an object',
    )
    .transform((value) => (value instanceof JsonSource ? value.text : JSON.stringify(value)));
  AS_SENT.add(shape.in);
  return shape;
}

/** The names of the fields in an input shape that are kept exactly as sent. */
export function fieldsKeptAsSent(input: z.ZodObject): string[] {
  return Object.entries(input.shape)
    .filter(([, field]) => isKeptAsSent(field as z.ZodType))
    .map(([name]) => name);
}

function isKeptAsSent(shape: z.ZodType): boolean {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return isKeptAsSent(shape.unwrap() as z.ZodType);
  return shape instanceof z.ZodPipe && AS_SENT.has(shape.in as z.ZodType);
}

/** The source text of a member of a valid JSON object. If the key is repeated, the last one wins, as in `JSON.parse`. */
export function sourceOfMember(json: string, name: string): string | undefined {
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return undefined;
  at = skipSpace(json, at + 1);
  let found: string | undefined;
  while (json[at] === '"') {
    const keyEnd = endOfString(json, at);
    const key = JSON.parse(json.slice(at, keyEnd)) as string;
    const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
    const end = endOfValue(json, start);
    if (key === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (isSpace(json[at])) at += 1;
  return at;
}

function endOfString(json: string, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(json: string, from: number): number {
  let at = from;
  let depth = 0;
  while (at < json.length) {
    const char = json[at];
    if (char === '"') {
      at = endOfString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      if (depth === 0) return trimEnd(json, from, at);
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (char === ',' && depth === 0) return trimEnd(json, from, at);
    at += 1;
  }
  return trimEnd(json, from, at);
}

function trimEnd(json: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(json[at - 1])) at -= 1;
  return at;
}
