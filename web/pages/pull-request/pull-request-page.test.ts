/** The rules of the pull request page: lines and gaps of a difference, rows in one or two columns, and where threads are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffSequences, internTokens } from '../../../src/engines/text/index.ts';
import { inFolderOrder } from '../../../src/features/pull-requests/files/folder-order.ts';
import type { PullRequest } from '../../parts/pull-request/pull-request-data.ts';
import { comparedHeads } from './comparison/compared-heads.ts';
import { changedParts } from './diff/changed-parts.ts';
import { type DiffLine, type Gap, linesAround, linesOfHunks } from './diff/diff-lines.ts';
import { rowsOf } from './diff/diff-rows.ts';
import type { FileDiff } from './diff/diff-types.ts';
import { folderTree } from './files/file-tree-model.ts';
import { treeRows } from './files/file-tree-rows.ts';
import { comparePlanFiles } from './files/plan-files.ts';
import { readPlanSteps } from './files/plan-steps.ts';
import { lastLooked } from './header/last-looked.ts';

/** A difference as git writes it, of two lists of lines. */
function diffOf(before: readonly string[], after: readonly string[], context: number): FileDiff {
  const [old, fresh] = internTokens(before, after);
  const hunks: FileDiff['hunks'] = [];
  let last: FileDiff['hunks'][number] | undefined;
  for (const { afterEnd, afterStart, beforeEnd, beforeStart } of diffSequences(old!, fresh!)) {
    const lead = Math.min(context, beforeStart);
    const newStart = afterStart - lead + 1;
    if (last && newStart <= last.newStart + last.newLines + context) {
      // Joined with the hunk before it.
      const from = last.newStart + last.newLines - 1;
      for (const line of after.slice(from, afterStart)) push(last, ` ${line}`);
    } else {
      if (last) trail(last);
      last = { oldStart: beforeStart - lead + 1, oldLines: 0, newStart, newLines: 0, heading: '', lines: [] };
      hunks.push(last);
      for (const line of before.slice(beforeStart - lead, beforeStart)) push(last, ` ${line}`);
    }
    for (const line of before.slice(beforeStart, beforeEnd)) push(last, `-${line}`);
    for (const line of after.slice(afterStart, afterEnd)) push(last, `+${line}`);
  }
  if (last) trail(last);
  for (const hunk of hunks) {
    if (hunk.oldLines === 0) hunk.oldStart -= 1;
    if (hunk.newLines === 0) hunk.newStart -= 1;
  }
  const shape = { path: 'a', oldPath: null, kind: 'text' as const, truncated: false };
  return { ...shape, oldTotalLines: before.length, newTotalLines: after.length, hunks };

  function trail(hunk: FileDiff['hunks'][number]) {
    const from = hunk.newStart + hunk.newLines - 1;
    for (const line of after.slice(from, from + context)) push(hunk, ` ${line}`);
  }
  function push(hunk: FileDiff['hunks'][number], line: string) {
    hunk.lines.push(line);
    if (!line.startsWith('+')) hunk.oldLines += 1;
    if (!line.startsWith('-')) hunk.newLines += 1;
  }
}

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '  x'), { maxLength: 40 });
const isLine = (line: DiffLine | Gap): line is DiffLine => line.kind !== 'gap';

describe('the lines of a difference', () => {
  it('with all context, contain both files with their numbers', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const shown = linesOfHunks(diffOf(before, after, 1000)).filter(isLine);
        expect(shown.length > 0).toBe(String(before) !== String(after) || before.length !== after.length);
        if (shown.length === 0) return;
        const sideOf = (side: 'old' | 'new') =>
          shown.filter((line) => line[side] !== undefined).map((line) => [line[side], line.text]);
        expect(sideOf('old')).toEqual(before.map((text, index) => [index + 1, text]));
        expect(sideOf('new')).toEqual(after.map((text, index) => [index + 1, text]));
      }),
    );
  });

  it('with gaps, account for every line of the new file; opening all gaps shows all of it', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const whole = diffOf(before, after, 1000);
        const near = linesOfHunks(diffOf(before, after, 3));
        const around = linesAround(whole, [], new Map());
        const countOf = (shown: readonly (DiffLine | Gap)[]) =>
          shown.reduce(
            (sum, line) => sum + (isLine(line) ? (line.new === undefined ? 0 : 1) : line.count),
            0,
          );
        if (near.length > 0) expect(countOf(near)).toBe(after.length);
        if (around.length > 0) expect(countOf(around)).toBe(after.length);
        const opened = linesAround(whole, [{ first: 1, last: after.length }], new Map());
        expect(opened).toEqual(linesOfHunks(whole));
        expect(around.filter(isLine).filter(({ kind }) => kind !== 'same')).toHaveLength(
          near.filter(isLine).filter(({ kind }) => kind !== 'same').length,
        );
      }),
    );
  });

  it('keeps the sign of a missing newline out of the text', () => {
    const diff = diffOf(['a'], ['b'], 3);
    diff.hunks[0]!.lines.push('\\ No newline at end of file');
    const last = linesOfHunks(diff).filter(isLine).at(-1)!;
    expect(last).toMatchObject({ text: 'b', isUnterminated: true });
  });
});

describe('words that changed', () => {
  it('are marked in both lines, and not where the line was rewritten', () => {
    const [removed, added] = linesOfHunks(
      diffOf(['const a = load(1);'], ['const a = await load(2);'], 3),
    ).filter(isLine);
    const wordsOf = (line: DiffLine) =>
      changedParts(line).map(({ end, start }) => line.text.slice(start, end).trim());
    expect(wordsOf(removed!)).toEqual(['1']);
    expect(wordsOf(added!)).toEqual(['await', '2']);
    const rewritten = linesOfHunks(diffOf(['return total;'], ['throw new Error(message)'], 3)).filter(isLine);
    expect(rewritten.flatMap((line) => changedParts(line))).toEqual([]);
  });
});

describe('rows', () => {
  it('show every line once, in order, in one and in two columns', () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom(1 as const, 2 as const), (before, after, columns) => {
        const shown = linesOfHunks(diffOf(before, after, 3));
        const { rows } = rowsOf(shown, [], columns);
        const onSide = (side: 'left' | 'right') =>
          rows.flatMap((row) => (row.type === 'line' && row[side] ? [row[side]] : []));
        expect(onSide('left')).toEqual(shown.filter(isLine).filter(({ kind }) => kind !== 'added'));
        expect(onSide('right')).toEqual(shown.filter(isLine).filter(({ kind }) => kind !== 'removed'));
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      }),
    );
  });

  it('have threads below their lines, or below the gap that hides them', () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const after = before.with(14, 'changed');
    const { hidden, missing, rows } = rowsOf(
      linesOfHunks(diffOf(before, after, 3)),
      [
        { id: 'new', side: 'new', line: 15 },
        { id: 'old', side: 'old', line: 15 },
        { id: 'far', side: 'new', line: 2 },
        { id: 'nowhere', side: 'new', line: 99 },
      ],
      1,
    );
    const at = (id: string) => rows.findIndex((row) => row.type === 'card' && row.id === id);
    expect(rows[at('old') - 1]).toMatchObject({ left: { text: 'line 15' }, right: undefined });
    expect(rows[at('new') - 1]).toMatchObject({ right: { text: 'changed' } });
    expect(rows[at('far') - 1]).toMatchObject({ gap: { place: 'top' } });
    expect(hidden.map(({ id }) => id)).toEqual(['far']);
    expect(missing.map(({ id }) => id)).toEqual(['nowhere']);
  });
});

describe('the compared heads', () => {
  const headOf = (position: number) => ({
    position,
    commit: String(position).repeat(40),
    baseCommit: null,
    mergeBase: 'b'.repeat(40),
    forced: false,
    seenAt: '',
  });
  const heads = [headOf(1), headOf(2), headOf(3)];
  const newest = heads[2]!.commit;
  const mergeBase = 'b'.repeat(40);
  const pullRequest = { headCommit: newest, heads, mergeBase };

  it('are by default what the pull request changes, as of the head that was opened', () => {
    expect(comparedHeads(pullRequest, {}, newest).range).toEqual({});
    expect(comparedHeads(pullRequest, {}, heads[1]!.commit).range).toEqual({
      from: 'b'.repeat(40),
      to: heads[1]!.commit,
    });
  });

  it('can be any two; only lines of the base can be commented on', () => {
    const { isFromBase, range } = comparedHeads(pullRequest, { from: heads[0]!.commit, to: newest }, newest);
    expect(range).toEqual({ from: heads[0]!.commit, to: newest });
    expect(isFromBase).toBe(false);
    const below = 'c'.repeat(40);
    expect(comparedHeads(pullRequest, { to: below }, newest)).toMatchObject({
      range: { from: mergeBase, to: below },
      ...{ isFromBase: true, kind: 'other' },
    });
    expect(comparedHeads(pullRequest, { from: below, to: newest, by: 'commit' }, newest).kind).toBe('commit');
    const rebased = { ...pullRequest, mergeBase: 'd'.repeat(40) };
    expect(comparedHeads(rebased, { to: heads[0]!.commit }, newest).isFromBase).toBe(false);
  });

  it('are what is new since a review only if the newest head contains the reviewed one', () => {
    const by = (commit: string) => ({ author: { id: 'me' }, commit }) as PullRequest['verdicts'][number];
    const since = (
      forced: boolean | null,
      verdicts: PullRequest['verdicts'],
      lastSeen: string | null,
      own: string[] = [],
    ) =>
      lastLooked(
        { headCommit: newest, heads: [heads[0]!, { ...heads[1]!, forced }, heads[2]!], verdicts },
        'me',
        lastSeen,
        new Set(own),
      );
    const [first, second] = [heads[0]!.commit, heads[1]!.commit];
    expect(since(false, [by(first)], second)).toEqual({ commit: first, isReview: true, isContained: true });
    expect(since(true, [by(first)], second)?.isContained).toBe(false);
    expect(since(null, [], first)).toEqual({ commit: first, isReview: false, isContained: false });
    expect(since(true, [], second)?.isContained).toBe(true);
    expect(since(true, [by(newest)], first)).toBeUndefined();
    // Their own pushes are nothing new to them, unless others pushed too.
    expect(since(false, [by(second)], null, [newest])).toBeUndefined();
    expect(since(false, [by(first)], null, [newest])?.commit).toBe(first);
    expect(since(false, [by(first)], null, [second, newest])).toBeUndefined();
  });
});

describe('the tree of files', () => {
  it('is in the order of the list, and joins folders with a single folder', () => {
    const paths = ['a.ts', 'a/b/c/one.ts', 'a/b/d/two.ts', 'a/b/three.ts'];
    const files = inFolderOrder(paths.map((path) => ({ path })));
    const root = folderTree(files);
    expect(root.folders.map(({ name }) => name)).toEqual(['a/b']);
    const all = treeRows(root, new Set());
    expect(all.filter((row) => row.kind === 'file').map((row) => row.file)).toEqual(files);
    const closed = treeRows(root, new Set(['a/b']));
    expect(closed.map((row) => (row.kind === 'folder' ? row.folder.path : row.name))).toEqual([
      'a/b',
      'a.ts',
    ]);
  });
});

describe('a plan’s files', () => {
  it('are changed, not changed, or changed without being in the plan; tests and generated files do not count', () => {
    const changed = [
      { path: 'src/cache.ts', oldPath: null, generated: false },
      { path: 'src/cache.test.ts', oldPath: null, generated: false },
      { path: 'web/new.ts', oldPath: 'web/old.ts', generated: false },
      { path: 'package-lock.json', oldPath: null, generated: true },
      { path: 'src/extra.ts', oldPath: null, generated: false },
    ];
    expect(comparePlanFiles(['src/cache.ts', 'old.ts', 'docs/'], changed)).toEqual({
      touched: ['src/cache.ts', 'old.ts'],
      untouched: ['docs/'],
      beyond: ['src/extra.ts'],
    });
  });
});

describe('the steps of a plan', () => {
  it('are said to be changed only by the files that they name, up to the next step or heading', () => {
    const content = [
      '# Plan',
      '## Steps',
      '1. Change `src/cache.ts`.',
      '2. Think.',
      '3. Remove it:',
      '   - from docs/a.md',
      '4. Touch `src/cache.tsx` and other/src/cache.ts.',
      '## Notes',
      'src/cache.ts is slow.',
    ].join('\n');
    const steps = [...content.matchAll(/^\d\. (.*)$/gm)].map(({ 0: all, 1: text, index }) => {
      return { text: text!, done: null, section: 'Steps', start: index, end: index + all.length };
    });
    const sections = [...content.matchAll(/^## (.*)$/gm)].map(({ 1: title, index }) => {
      return { title: title!, kind: 'other', level: 2, start: index, end: content.length };
    });
    const structure = { steps, sections, files: ['src/cache.ts', 'docs/a.md'], repositories: [] };
    const states = (changed: string[]) =>
      readPlanSteps({ content, structure }, changed).map(({ state }) => state);
    expect(states(['src/cache.ts'])).toEqual(['changed', 'none', 'unchanged', 'none']);
    expect(states(['web/docs/a.md'])).toEqual(['unchanged', 'none', 'changed', 'none']);
  });
});
