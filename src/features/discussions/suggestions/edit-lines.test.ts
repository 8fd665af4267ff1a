/** Replacing lines of a file by suggestions. */
import { expect, it } from 'vitest';
import { editLines, type LineEdit } from './edit-lines.ts';

const edit = (id: string, startLine: number, before: string[], after: string[]): LineEdit => ({
  ...{ id, startLine, endLine: startLine + before.length - 1, before, after },
});

it('replaces, adds and removes lines at once, and keeps line endings and a missing last line break', () => {
  const edits = [
    edit('a', 1, ['one'], ['1', '1b']),
    edit('b', 4, ['four'], ['4']),
    edit('c', 2, ['two'], []),
  ];
  expect(editLines('one\ntwo\nthree\nfour', edits)).toEqual({ kind: 'edited', text: '1\n1b\nthree\n4' });
  expect(editLines('one\r\ntwo\r\n', [edit('a', 1, ['one\r'], ['x', 'y'])])).toEqual({
    ...{ kind: 'edited', text: 'x\r\ny\r\ntwo\r\n' },
  });
});

it('refuses lines that changed, and two suggestions for one line, naming which', () => {
  expect(editLines('one\ntwo', [edit('a', 2, ['2'], ['x']), edit('b', 1, ['one'], [])])).toEqual({
    ...{ kind: 'outdated', ids: ['a'] },
  });
  expect(editLines('one', [edit('a', 1, ['one', 'two'], ['x'])])).toEqual({ kind: 'outdated', ids: ['a'] });
  const overlapping = [
    edit('a', 1, ['one', 'two'], ['x']),
    edit('b', 2, ['two'], ['y']),
    edit('c', 3, ['three'], []),
  ];
  expect(editLines('one\ntwo\nthree', overlapping)).toEqual({ kind: 'overlap', ids: ['a', 'b'] });
});
