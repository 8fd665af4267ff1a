/** The source text of a member is found wherever `JSON.parse` would find its value. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyCharacter } from '../../../../test/helpers/text/any-character.ts';
import { fieldsKeptAsSent, JsonSource, sourceOfMember } from './json-source.ts';
import { jsonObjectAsSent, text } from './shapes.ts';

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });
const numberText = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('-0', '1.0', '1E+5', '1e400', '12345678901234567890', '0.10'),
);
const stringText = fc.oneof(
  fc.string({ unit: anyCharacter }).map((value) => JSON.stringify(value)),
  fc
    .string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\\u0022') })
    .map((value) => JSON.stringify(value)),
  fc.constantFrom('"\\u0000"', '"\\ud800"', '"\\/"', '"\\u005c\\u0022"', '"\\\\"'),
);
/**
 * Without names that hold a backslash: once such a name was parsed, the JSON.parse of V8 14.6 takes other names that
 * are written with escapes for it, which would make the comparison meaningless. Ours are plain words, which this cannot touch.
 */
const nameText = fc
  .oneof(fc.constantFrom('"payload"', '"pay\\u006coad"', '"__proto__"', '"payloa"', '""'), stringText)
  .filter((name) => !(JSON.parse(name) as string).includes('\\'));

/** JSON text with white space anywhere and repeated keys: more than `JSON.stringify` would ever write. */
const { value: valueText } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    numberText,
    stringText,
    tie('list'),
    tie('object'),
  ),
  list: fc
    .array(fc.tuple(space, tie('value'), space), { maxLength: 4 })
    .map((entries) => `[${entries.map((entry) => entry.join('')).join(',')}]`),
  object: fc.array(memberOf(tie('value')), { maxLength: 4 }).map((members) => `{${members.join(',')}}`),
}));

function memberOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(space, nameText, space, space, value, space)
    .map(([before, name, after, start, text, end]) => `${before}${name}${after}:${start}${text}${end}`);
}

const objectText = fc
  .tuple(space, fc.array(memberOf(valueText), { maxLength: 6 }), space)
  .map(([before, members, after]) => `${before}{${members.join(',')}}${after}`);

describe('sourceOfMember', () => {
  it('returns text that parses to the value of JSON.parse, for every member of any object', () => {
    fc.assert(
      fc.property(objectText, (json) => {
        const parsed = JSON.parse(json) as Record<string, unknown>;
        for (const name of ['payload', '__proto__', '', ...Object.keys(parsed)]) {
          const source = sourceOfMember(json, name);
          if (!Object.hasOwn(parsed, name)) expect(source).toBeUndefined();
          else expect(JSON.parse(source!)).toEqual(parsed[name]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('returns the exact text, with nothing around it', () => {
    fc.assert(
      fc.property(valueText, space, space, (text, before, after) => {
        expect(sourceOfMember(`{"a":[1,{"payload":2}],"payload":${before}${text}${after}}`, 'payload')).toBe(
          text,
        );
        expect(sourceOfMember(`{"payload":${before}${text}${after},"b":1}`, 'payload')).toBe(text);
      }),
    );
  });

  it('returns the last of duplicate members, however the name is escaped', () => {
    expect(sourceOfMember('{"a":1,"a":{"a":2},"\\u0061": 3.0 }', 'a')).toBe('3.0');
  });

  it('returns undefined if the text is not an object or lacks the member', () => {
    for (const json of ['[]', '1', '"payload"', 'null', '{}', '{"a":{"payload":1}}', ' [{"payload":1}]']) {
      expect(sourceOfMember(json, 'payload')).toBeUndefined();
    }
  });

  it('supports 100,000 levels of nesting', () => {
    for (const [open, close] of [
      ['{"a":', '}'],
      ['[', ']'],
    ] as const) {
      const deep = `{"a":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      expect(sourceOfMember(`{"x":${deep},"payload":${deep},"y":1}`, 'payload') === deep).toBe(true);
    }
  });

  it('takes linear time for any text', () => {
    const million = 1_000_000;
    for (const filler of [' ', '\n', '\t ']) {
      const gap = filler.repeat(million);
      expect(sourceOfMember(`{"x":1${gap},"y":"z"${gap},"payload":${gap}{}${gap}}`, 'payload')).toBe('{}');
    }
    expect(sourceOfMember(`{"x":"${'\\"'.repeat(million)}","payload":{}}`, 'payload')).toBe('{}');
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":${index}`).join(',');
    expect(sourceOfMember(`{${members},"payload":{"a":1}}`, 'payload')).toBe('{"a":1}');
  });
});

describe('a field kept as it was sent', () => {
  const shape = z.object({
    name: text({ max: 5 }),
    payload: jsonObjectAsSent().optional(),
    other: jsonObjectAsSent().nullable().optional(),
    plain: z.object({}).optional(),
  });

  it('is recognized inside optional and nullable, and no other is', () => {
    expect(fieldsKeptAsSent(shape)).toEqual(['payload', 'other']);
  });

  it('returns its source text, or the JSON of a value that has none', () => {
    const text = '{"a":1.0,"a":2}';
    expect(shape.parse({ name: 'a', payload: new JsonSource(text) }).payload).toBe(text);
    expect(shape.parse({ name: 'a', payload: { a: 1 } }).payload).toBe('{"a":1}');
  });

  it('must be an object', () => {
    for (const payload of [[], 'x', 1, true])
      expect(shape.safeParse({ name: 'a', payload }).success).toBe(false);
  });
});
