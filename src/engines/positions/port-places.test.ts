/** Places are followed through generated edits whose truth is known, and through edits that people make. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileHunks } from '../../platform/core/ports/code-differences.ts';
import { diffSequences, internTokens } from '../text/index.ts';
import { type Place, portPlaces } from './port-places.ts';

/** As `git diff -U0` gives it. */
function hunksOf(before: string[] | null, after: string[] | null): FileHunks['hunks'] {
  const [old, fresh] = [before ?? [], after ?? []];
  const [left, right] = internTokens(old, fresh);
  return diffSequences(left!, right!).map(({ afterEnd, afterStart, beforeEnd, beforeStart }) => ({
    oldStart: beforeEnd > beforeStart ? beforeStart + 1 : beforeStart,
    oldLines: beforeEnd - beforeStart,
    newStart: afterEnd > afterStart ? afterStart + 1 : afterStart,
    newLines: afterEnd - afterStart,
    removed: old.slice(beforeStart, beforeEnd),
    added: fresh.slice(afterStart, afterEnd),
  }));
}
function change(
  oldPath: string | null,
  path: string | null,
  before: string[] | null,
  after: string[] | null,
): FileHunks {
  return { oldPath, path, isBinary: false, truncated: false, hunks: hunksOf(before, after) };
}
const port = (place: Omit<Place, 'code'> & { code?: string }, files: FileHunks[]) => {
  const [found] = portPlaces([{ code: '', ...place }], files);
  return `${found!.outcome} ${found!.file} ${found!.startLine}-${found!.endLine}`;
};

interface Line {
  id: number;
  text: string;
}
type Edit =
  | { kind: 'insert'; at: number; count: number }
  | { kind: 'delete'; at: number; count: number }
  | { kind: 'move'; at: number; count: number; to: number }
  | { kind: 'edit'; at: number }
  | { kind: 'indent'; at: number; count: number };

const position = fc.nat(1000);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: position, count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ kind: fc.constant('delete' as const), at: position, count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constant('move' as const),
    at: position,
    count: fc.integer({ min: 2, max: 10 }),
    to: position,
  }),
  fc.record({ kind: fc.constant('edit' as const), at: position }),
  fc.record({ kind: fc.constant('indent' as const), at: position, count: fc.integer({ min: 1, max: 4 }) }),
);

let words = 0;
/** No word twice, so that nothing is found by accident. */
const freshText = () =>
  Array.from({ length: 6 }, () => {
    words += 1;
    return `word${words.toString(36)}`;
  }).join(' ');

function apply(lines: Line[], edits: Edit[]): { lines: Line[]; edited: Set<number>; indented: Set<number> } {
  let now = lines.map((line) => ({ ...line }));
  const [edited, indented] = [new Set<number>(), new Set<number>()];
  for (const each of edits) {
    const at = now.length === 0 ? 0 : each.at % now.length;
    if (each.kind === 'insert') {
      const added = Array.from({ length: each.count }, () => ({ id: -1, text: freshText() }));
      now = [...now.slice(0, at), ...added, ...now.slice(at)];
    } else if (each.kind === 'delete') now.splice(at, each.count);
    else if (each.kind === 'move') {
      const block = now.splice(at, each.count);
      now.splice(now.length === 0 ? 0 : each.to % now.length, 0, ...block);
    } else if (each.kind === 'edit' && now[at]) {
      edited.add(now[at].id);
      now[at].text = now[at].text.replace(/\S+$/, freshText().split(' ')[0]!);
    } else if (each.kind === 'indent') {
      for (const line of now.slice(at, at + each.count)) {
        indented.add(line.id);
        line.text = `  ${line.text}`;
      }
    }
  }
  return { lines: now, edited, indented };
}

describe('generated edits', () => {
  const document = (name: number) =>
    Array.from({ length: 40 }, (_, index): Line => ({ id: name * 1000 + index, text: freshText() }));
  const textsOf = (lines: Line[]) => lines.map(({ text }) => text);

  function check(start: number, count: number, edits: Edit[], moveToOther: boolean) {
    const [before, other] = [document(1), document(2)];
    const place = { file: 'a', startLine: start, endLine: start + count - 1 };
    const ids = new Set(before.slice(start - 1, start - 1 + count).map(({ id }) => id));
    const { edited, indented, lines } = apply(before, edits);
    let [after, otherAfter] = [lines, other];
    if (moveToOther) {
      const block = lines.filter(({ id }) => ids.has(id));
      after = lines.filter(({ id }) => !ids.has(id));
      otherAfter = [...other.slice(0, 20), ...block, ...other.slice(20)];
    }
    const files = [
      change('a', 'a', textsOf(before), textsOf(after)),
      change('b', 'b', textsOf(other), textsOf(otherAfter)),
    ];
    const [found] = portPlaces(
      [
        {
          ...place,
          code: before
            .slice(start - 1, start - 1 + count)
            .map(({ text }) => text)
            .join('\n'),
        },
      ],
      files.filter(({ hunks }) => hunks.length > 0),
    );
    const where = moveToOther ? otherAfter : after;
    const truth = where.flatMap(({ id }, index) => (ids.has(id) ? [index + 1] : []));
    const isWhole = truth.length === count && truth.at(-1)! - truth[0]! === count - 1;
    const inOrder = where
      .filter(({ id }) => ids.has(id))
      .every(({ id }, index, all) => index === 0 || id > all[index - 1]!.id);
    const untouched = ![...ids].some((id) => edited.has(id) || indented.has(id));
    return {
      found: found!,
      truth,
      isWhole: isWhole && inOrder,
      untouched,
      edited: [...ids].filter((id) => edited.has(id)),
    };
  }
  const places = { start: fc.integer({ min: 1, max: 35 }), count: fc.integer({ min: 1, max: 5 }) };

  it('leave lines that were not touched where they are, or find where they moved', () => {
    fc.assert(
      fc.property(
        places.start,
        places.count,
        fc.array(edit, { maxLength: 5 }),
        fc.boolean(),
        (start, count, edits, moved) => {
          const { found, isWhole, truth, untouched } = check(start, count, edits, moved);
          fc.pre(isWhole && untouched);
          expect(['exact', 'moved']).toContain(found.outcome);
          expect([found.file, found.startLine, found.endLine]).toEqual([
            moved ? 'b' : 'a',
            truth[0],
            truth.at(-1),
          ]);
          if (moved) expect(found.outcome).toBe('moved');
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('find the range of lines that were edited in their place', () => {
    const inPlace = fc.array(
      edit.filter(({ kind }) => kind !== 'move' && kind !== 'delete' && kind !== 'indent'),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(places.start, places.count, inPlace, fc.nat(4), (start, count, edits, which) => {
        const touch: Edit = { kind: 'edit', at: start - 1 + (which % count) };
        const { found, truth } = check(start, count, [touch, ...edits], false);
        expect([found.outcome, found.startLine, found.endLine]).toEqual(['changed', truth[0], truth.at(-1)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('say that removed lines are gone', () => {
    fc.assert(
      fc.property(places.start, places.count, fc.nat(3), fc.nat(3), (start, count, before, after) => {
        const from = Math.max(0, start - 1 - before);
        const remove: Edit = { kind: 'delete', at: from, count: start - 1 + count + after - from };
        const { found } = check(start, count, [remove], false);
        expect(found).toEqual({ outcome: 'gone', file: 'a', startLine: from, endLine: from });
      }),
      { numRuns: 300 },
    );
  });

  it('never throw, and never leave the file', () => {
    fc.assert(
      fc.property(places.start, places.count, fc.array(edit, { maxLength: 12 }), (start, count, edits) => {
        const { found } = check(start, count, edits, false);
        expect(found.startLine).toBeLessThanOrEqual(found.endLine);
        if (found.outcome !== 'gone') expect(found.startLine).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a place', () => {
  const code = [
    'export function total(items: Item[]): number {',
    '  let sum = 0;',
    '  for (const item of items) {',
    '    sum += item.price;',
    '  }',
    '  return sum;',
    '}',
  ];
  const other = ['const a = 1;', 'const b = 2;', 'const c = 3;'];

  it('in a file that did not change is exact', () => {
    expect(port({ file: 'x', startLine: 3, endLine: 4 }, [change('a', 'a', code, [])])).toBe('exact x 3-4');
  });

  it('follows a rename', () => {
    const files = [change('old.ts', 'new.ts', code, ['// new', ...code])];
    expect(port({ file: 'old.ts', startLine: 4, endLine: 4 }, files)).toBe('moved new.ts 5-5');
    expect(port({ file: 'old.ts', startLine: 0, endLine: 0 }, [change('old.ts', 'new.ts', code, code)])).toBe(
      'moved new.ts 0-0',
    );
  });

  it('on a whole file follows the file', () => {
    const whole = { file: 'a', startLine: 0, endLine: 0 };
    expect(port(whole, [change('b', 'b', code, other)])).toBe('exact a 0-0');
    expect(port(whole, [change('a', 'a', code, other)])).toBe('changed a 0-0');
    expect(port(whole, [change('a', null, code, null)])).toBe('gone a 0-0');
    expect(port(whole, [change('a', null, code, null), change(null, 'a', null, ['link'])])).toBe(
      'changed a 0-0',
    );
    expect(port(whole, [{ ...change('a', 'a', [], []), isBinary: true }])).toBe('changed a 0-0');
  });

  it('follows a short line within a block that moved, and was indented, to another file', () => {
    const indented = code.map((line) => `  ${line}`);
    const files = [
      change('a.ts', 'a.ts', [...other, ...code], other),
      change(null, 'b.ts', null, ['namespace Totals {', ...indented, '}']),
    ];
    expect(port({ file: 'a.ts', startLine: 9, endLine: 9 }, files)).toBe('moved b.ts 7-7');
    expect(port({ file: 'a.ts', startLine: 4, endLine: 10 }, files)).toBe('moved b.ts 2-8');
  });

  it('does not follow a block that was copied to two other files', () => {
    const files = [
      change('a.ts', 'a.ts', [...other, ...code], other),
      change(null, 'b.ts', null, code),
      change(null, 'c.ts', null, code),
    ];
    expect(port({ file: 'a.ts', startLine: 9, endLine: 9 }, files)).toBe('gone a.ts 3-3');
  });

  it('does not take a brace or a common line for the code', () => {
    const files = [
      change('a.ts', 'a.ts', ['one();', '}', 'two();'], ['one();', 'two();']),
      change(null, 'b.ts', null, ['}', 'return x;']),
    ];
    expect(port({ file: 'a.ts', startLine: 2, endLine: 2 }, files)).toBe('gone a.ts 1-1');
  });

  it('that was only indented is changed in its place', () => {
    const after = ['if (enabled) {', ...code.map((line) => `  ${line}`), '}'];
    expect(port({ file: 'a', startLine: 2, endLine: 4 }, [change('a', 'a', code, after)])).toBe(
      'changed a 3-5',
    );
  });

  it('finds the edited line within a larger hunk', () => {
    const after = [...code];
    after.splice(
      1,
      3,
      '  const sums = [];',
      '  // Prices include tax.',
      '  for (const each of items.values()) {',
      '    sum += each.price * each.count;',
    );
    const files = [change('a', 'a', code, after)];
    expect(port({ file: 'a', startLine: 4, endLine: 4 }, files)).toBe('changed a 5-5');
    expect(port({ file: 'a', startLine: 2, endLine: 4 }, files)).toBe('changed a 2-5');
  });

  it('that was replaced by one other line is changed, and by a rewrite is gone', () => {
    expect(
      port({ file: 'a', startLine: 2, endLine: 2 }, [
        change('a', 'a', ['x', 'old();', 'y'], ['x', 'fresh()', 'y']),
      ]),
    ).toBe('changed a 2-2');
    const rewrite = Array.from({ length: 30 }, (_, index) => `unrelated${index}();`);
    expect(port({ file: 'a', startLine: 4, endLine: 4 }, [change('a', 'a', code, rewrite)])).toBe(
      'gone a 0-0',
    );
  });

  it('with lines inserted inside grows, and with lines inserted at its edges does not', () => {
    const inserted = [...code.slice(0, 3), '    log(item);', ...code.slice(3)];
    const files = [change('a', 'a', code, inserted)];
    expect(port({ file: 'a', startLine: 3, endLine: 4 }, files)).toBe('changed a 3-5');
    expect(port({ file: 'a', startLine: 4, endLine: 5 }, files)).toBe('exact a 5-6');
    expect(port({ file: 'a', startLine: 1, endLine: 3 }, files)).toBe('exact a 1-3');
  });

  it('in a file that became binary, or has too many hunks, is not claimed to be unchanged', () => {
    expect(
      port({ file: 'a', startLine: 1, endLine: 1 }, [{ ...change('a', 'a', [], []), isBinary: true }]),
    ).toBe('gone a 0-0');
    expect(
      port({ file: 'a', startLine: 9, endLine: 9 }, [
        { ...change('a', 'a', code, ['x', ...code]), truncated: true },
      ]),
    ).toBe('changed a 10-10');
  });
});
