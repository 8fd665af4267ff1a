/** Names can't break the lines and columns of the terminal output. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../test/helpers/text/any-character.ts';
import { tableOf } from './print-table.ts';
import { columnsOf, printable, printableJson, printableLines } from './printable.ts';

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const anyText = fc.string({ unit: anyCharacter });

it('removes everything that moves the cursor, changes the text direction or breaks the line', () => {
  expect(printable('a\u001b[2Jb\nc\u202ed\u009be\u2028f\u{e0001}g\ud800h')).toBe(
    'a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}f\u{fffd}g\u{fffd}h',
  );
  fc.assert(fc.property(anyText, (text) => !HARMFUL.test(printable(text))));
  fc.assert(fc.property(anyText, (text) => !HARMFUL.test(printableLines(text).replaceAll('\n', ''))));
});

it('escaped JSON parses to the same value', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), anyText)), (rows) => {
      const json = printableJson(rows);
      expect(HARMFUL.test(json.replaceAll('\n', ''))).toBe(false);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(rows)));
    }),
  );
});

it('a table has one line for each row, whatever the values contain', () => {
  const cell = fc.option(anyText);
  fc.assert(
    fc.property(fc.array(fc.record({ id: cell, createdAt: cell }), { minLength: 1 }), (rows) => {
      expect(tableOf(rows).split('\n')).toHaveLength(rows.length + 2);
    }),
  );
});

it('columns are aligned with their headings, also next to wide characters', () => {
  const rows = [
    { name: '日本', role: 'owner', createdAt: null },
    { name: 'Zoe\u0308', role: 'member', createdAt: 'now' },
  ];
  const lines = tableOf(rows).split('\n');
  expect(lines[0]).toBe('NAME  ROLE    CREATED AT');
  expect(lines[1]).toBe('日本  owner   -');
  expect(lines[2]).toBe('Zoe\u0308   member  now');
  expect(columnsOf(lines[1]!.split('owner')[0]!)).toBe(columnsOf(lines[2]!.split('member')[0]!));
});
