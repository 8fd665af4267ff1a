/** Lines that a diff shows, compared with what git writes for generated files. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureEnvironment } from '../../../test/helpers/git/git-fixtures.ts';
import { isShown, readDiff, readHunks } from './diff-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-diff-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function gitDiff(before: string, after: string): Promise<string> {
  await Promise.all([writeFile(join(folder, 'before'), before), writeFile(join(folder, 'after'), after)]);
  return await new Promise((done) => {
    const args = ['diff', '--no-index', '-U2', 'before', 'after'];
    execFile('git', args, { cwd: folder, env: fixtureEnvironment() }, (_, stdout) => done(stdout));
  });
}

it('are those that git shows, with the right numbers on both sides', async () => {
  const line = fc.constantFrom('a', 'b', '-- c', '++ d', '@@ -1 +1 @@', 'diff --git a/x b/x', '', '\\ e');
  const text = fc.array(line, { maxLength: 25 }).map((lines) => lines.join('\n'));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const [oldLines, newLines] = [before.split('\n'), after.split('\n')];
      const shown = readHunks(await gitDiff(before, after));
      for (const [number, other] of shown.new)
        if (other !== null) expect(newLines[number - 1]).toBe(oldLines[other - 1]);
      const count = (lines: Map<number, number | null>) =>
        [...lines.values()].filter((one) => one === null).length;
      const size = (lines: string[]) => (lines.at(-1) === '' ? lines.length - 1 : lines.length);
      expect(size(newLines) - size(oldLines)).toBe(count(shown.new) - count(shown.old));
      if (before !== after) expect(shown.new.size + shown.old.size).toBeGreaterThan(0);
    }),
    { numRuns: 40 },
  );
});

it('belong to files, whose names can need quotes', () => {
  const diff = [
    'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n',
    'diff --git "a/\\303\\244 \\"x\\".txt" "b/\\303\\244 \\"x\\".txt"\n--- /dev/null\n+++ "b/\\303\\244 \\"x\\".txt"\n@@ -0,0 +1 @@\n+x\n',
    'diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -3 +2,0 @@\n-x\n',
    'diff --git a/image.png b/image.png\nBinary files differ\n',
  ].join('');
  const files = readDiff(diff);
  expect([...files.keys()]).toEqual(['a.txt', 'ä "x".txt', 'gone']);
  expect(files.get('a.txt')).toEqual({
    new: new Map([
      [1, 1],
      [2, null],
    ]),
    old: new Map([
      [1, 1],
      [2, null],
    ]),
  });
  const at = (side: 'new' | 'old', startLine: number, endLine: number) => ({ side, startLine, endLine });
  expect(isShown(files.get('a.txt'), at('new', 1, 2))).toBe(true);
  expect(isShown(files.get('a.txt'), at('new', 2, 3))).toBe(false);
  expect(isShown(files.get('gone'), at('old', 3, 3))).toBe(true);
  expect(isShown(files.get('gone'), at('new', 3, 3))).toBe(false);
  expect(isShown(undefined, at('new', 1, 1))).toBe(false);
});
