/** CSV that every reader parses to the same values, and that no spreadsheet executes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvField, csvLine } from './csv.ts';

/** A reader of RFC 4180, written without a look at the writer. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let [row, field, quoted]: [string[], string, boolean] = [[], '', false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]!;
    if (quoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') {
      row.push(field);
      field = '';
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, field]);
      [row, field] = [[], ''];
      at += 1;
    } else field += character;
  }
  return rows;
}

const someText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', "'", '=', '+', '-', '@', '\t', ' ', 'a') }),
);

it('is parsed to the values that were written, except for the apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(someText, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
      const read = readCsv(rows.map(csvLine).join(''));
      expect(read.length).toBe(rows.length);
      for (const [index, row] of rows.entries()) {
        expect(read[index]!.map((value, column) => [row[column], `'${row[column]}`].includes(value))).toEqual(
          row.map(() => true),
        );
      }
    }),
  );
});

it('never starts a field with what a spreadsheet treats as a formula', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const [[shown]] = readCsv(`${csvField(text)}\r\n`) as [[string]];
      expect(shown).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});

it.each([
  ['Ada', 'Ada'],
  [null, ''],
  ['=HYPERLINK("http://evil.example")', '"\'=HYPERLINK(""http://evil.example"")"'],
  ['-1', '"\'-1"'],
  ['a, b', '"a, b"'],
])('%j becomes %j', (value, written) => {
  expect(csvField(value)).toBe(written);
});
