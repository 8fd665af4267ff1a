/** ANCHORS: comparing two texts of 1 MiB and following one quote, compared with `git diff` on the same texts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareTexts, portAnchor } from '../../src/engines/anchors/index.ts';
import type { Measurement } from '../measure.ts';
import { makeVersions } from './versions.ts';

/** Warm-up: a running service has compiled code, and so does git. */
const WARM_UP_ROUNDS = 20;

export const followQuote: Measurement = {
  id: 'ANCHORS',
  what: 'follow a quote, 1 MiB',
  unit: 'ms',
  referenceName: 'git diff',
  target: { most: 1 },
  rounds: 21,
  async prepare() {
    const { before, after, quote } = makeVersions(1 << 20);
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
    const [left, right] = [join(folder, 'before.md'), join(folder, 'after.md')];
    writeFileSync(left, before);
    writeFileSync(right, after);

    const ours = async () => {
      // Fresh copies, so that nothing is cached from the previous round.
      const [from, to] = [copy(before), copy(after)];
      const started = performance.now();
      const { result } = portAnchor(quote, compareTexts(from, to));
      const took = performance.now() - started;
      if (result !== 'edited') throw new Error(`The quote was changed, but the result is ${result}.`);
      return took;
    };
    const reference = async () => {
      const started = performance.now();
      const { status } = spawnSync('git', ['diff', '--no-index', left, right], { maxBuffer: 1 << 28 });
      if (status !== 1) throw new Error(`git diff exited with ${status}.`);
      return performance.now() - started;
    };
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await ours();
    return { ours, reference, end: async () => rmSync(folder, { recursive: true, force: true }) };
  },
};

function copy(text: string): string {
  return Buffer.from(text).toString();
}
