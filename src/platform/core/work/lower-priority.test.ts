/** Priorities of real processes. */
import { spawnSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { lowerPriority } from './lower-priority.ts';

it('lowers the priority of this process, and does nothing if that fails', () => {
  const before = getPriority();
  lowerPriority(before + 1);
  expect(getPriority()).toBe(before + 1);
  const { pid } = spawnSync(process.execPath, ['--version']);
  lowerPriority(before + 1, pid);
});
