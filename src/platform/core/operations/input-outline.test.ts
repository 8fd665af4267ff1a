/** A value reduced to the outline of a shape passes the same checks, with the same errors in the same order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../operations.ts';
import { wantedJson } from '../../../transports/http/read-request.ts';
import { type Outline, outlineOf, reduceTo } from './input-outline.ts';
import type { Operation } from './operation.ts';
import { checkInput, knowsNone } from './read-input.ts';
import { requiredText, text, uuid } from './shapes.ts';

const NAMES = ['name', 'na_me', 'Name', 'list', 'inner', 'IN-NER', 'other', '__proto__', 'x'.repeat(101)];

const leaf = fc.constantFrom<z.ZodType>(
  requiredText({ max: 3 }),
  text({ max: 5 }).optional(),
  z.int().min(1).max(3),
  z.boolean().nullable(),
  z.enum(['open', 'closed']).nullable().optional(),
  z.literal(1),
  uuid(),
  z.union([z.string(), z.number()]),
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a'), name: text({ max: 3 }), inner: z.number() }),
    z.object({ kind: z.literal('b'), inner: z.object({ list: z.number() }) }),
  ]),
  z.record(z.string(), z.number()),
  z.unknown(),
);
const { shape } = fc.letrec<{ shape: z.ZodType; object: z.ZodObject; list: z.ZodType }>((tie) => ({
  shape: fc.oneof({ depthSize: 'small' }, leaf, tie('object'), tie('list')),
  object: fc
    .dictionary(fc.constantFrom('name', 'list', 'inner', 'kind'), tie('shape'), { maxKeys: 3 })
    .map((fields) => z.object(fields)),
  list: fc.tuple(tie('shape'), fc.nat(3)).map(([element, max]) => z.array(element).max(max)),
}));
const object = fc
  .dictionary(fc.constantFrom('name', 'list', 'inner'), shape, { maxKeys: 3 })
  .map((fields) => z.object(fields));

const { value: json } = fc.letrec<{ value: unknown; fields: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>('', 'ab', 'abcdef', 'open', 'a', 'b', '\0', '\ud800', 0, 1, 2.5, true, null),
    tie('fields'),
    fc.array(tie('value'), { maxLength: 5 }),
  ),
  fields: fc.dictionary(fc.constantFrom(...NAMES, 'kind'), tie('value'), { maxKeys: 5 }),
}));
const sent = fc.dictionary(fc.constantFrom(...NAMES), json, { maxKeys: 6 });

it('leads to the same input or errors', () => {
  fc.assert(
    fc.property(object, sent, (input, fields) => {
      const reduced = structuredClone(reduceTo(outlineOf(input), fields)) as Record<string, unknown>;
      expect(checkInput(input, reduced)).toEqual(checkInput(input, fields));
      expect(knowsNone(input, reduced)).toBe(knowsNone(input, fields));
    }),
    { numRuns: 500 },
  );
});

it('is small however large or deep the rest is', () => {
  const input = z.object({ name: z.string(), list: z.array(z.object({ name: z.string() })).max(2) });
  const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000));
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, deep]));
  const value = { name: deep, other: deep, list: Array(1000).fill({ name: deep, other: deep }), ...many };
  expect(reduceTo(outlineOf(input), value)).toEqual({
    name: [],
    list: [{ name: [] }, { name: [] }, { name: [] }],
  });
});

it('leaves nothing whole of what operations accept', () => {
  const wholes = (outline: Outline): boolean =>
    outline.kind === 'whole' ||
    (outline.kind === 'entries' && wholes(outline.entry)) ||
    (outline.kind === 'fields' && Object.values(outline.fields).some(wholes));
  const found = operations.filter((operation) => wholes(wantedJson(operation as Operation).outline));
  expect(found.map(({ name }) => name)).toEqual([]);
});
