import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgressReader, type MirrorProgress } from './progress.ts';

const SAID = [
  "Cloning into bare repository 'x'...\n",
  'remote: Enumerating objects: 4500, done.        \n',
  'remote: Counting objects:  50% (2250/4500)        \r',
  'remote: Compressing objects: 100% (10/10), done.        \n',
  'Receiving objects:   1% (45/4500)\r',
  'Receiving objects:  60% (2700/4500), 1.50 MiB | 3.00 MiB/s\r',
  'Receiving objects: 100% (4500/4500), 2.00 GiB | 3.00 MiB/s, done.\n',
  'Resolving deltas:  25% (1/4)\r',
].join('');

const READ: MirrorProgress[] = [
  { phase: 'counting', percent: null, objects: 4500, totalObjects: null, bytes: null },
  { phase: 'counting', percent: 50, objects: 2250, totalObjects: 4500, bytes: null },
  { phase: 'counting', percent: 100, objects: 10, totalObjects: 10, bytes: null },
  { phase: 'receiving', percent: 1, objects: 45, totalObjects: 4500, bytes: null },
  { phase: 'receiving', percent: 60, objects: 2700, totalObjects: 4500, bytes: 1_572_864 },
  { phase: 'receiving', percent: 100, objects: 4500, totalObjects: 4500, bytes: 2_147_483_648 },
  { phase: 'resolving', percent: 25, objects: 1, totalObjects: 4, bytes: null },
];

function readAll(chunks: Buffer[]): MirrorProgress[] {
  const found: MirrorProgress[] = [];
  const read = createProgressReader((progress) => found.push(progress));
  for (const chunk of chunks) read(chunk);
  return found;
}

describe('progress', () => {
  it('is the same for any chunking of the text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SAID.length), { maxLength: 40 }), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), SAID.length];
        const chunks = places.slice(1).map((end, index) => Buffer.from(SAID.slice(places[index], end)));
        expect(readAll(chunks)).toEqual(READ);
      }),
    );
  });

  it.each([
    'remote: Receiving objects:  60% (2700/4500), 9.00 TiB\n',
    'Counting objects:  60% (1/2)\n',
    'remote: Counting objects: 99999999999999999999\n',
    'Receiving objects: -1% (1/2)\n',
    'remote: Total 5 (delta 0)\n',
  ])('is not taken from %j', (line) => {
    expect(readAll([Buffer.from(line)]).filter(({ objects }) => objects! > 1e12)).toEqual([]);
    expect(readAll([Buffer.from(line)]).filter(({ phase }) => phase === 'receiving')).toEqual([]);
  });
});
