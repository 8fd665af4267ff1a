import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock on a repository folder', () => {
  it('is taken by one process at a time, though each deletes the file while it holds it', async () => {
    const program = join(folder, 'take.mjs');
    const held = join(folder, 'held');
    writeFileSync(
      program,
      `import { rmSync, mkdirSync, rmdirSync } from 'node:fs';
       import { takeLock } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'mirror-lock.ts')).href)};
       for (let round = 0; round < 150; round += 1) {
         const lock = await takeLock(process.argv[2], AbortSignal.timeout(30_000));
         mkdirSync(process.argv[3]);
         rmdirSync(process.argv[3]);
         rmSync(process.argv[2], { force: true });
         lock.release();
       }`,
    );
    const processes = [1, 2, 3].map(() => fork(program, [join(folder, 'lock'), held]));
    const ends = await Promise.all(processes.map((each) => once(each, 'exit')));
    expect(ends.map(([code]) => code)).toEqual([0, 0, 0]);
  });
});
