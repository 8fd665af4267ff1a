/** Which parts of a shard can contain a match. */
import { expect, it } from 'vitest';
import { chooseParts } from './choose-parts.ts';

it('finds trigrams in different parts of one long line', () => {
  // Four lines of two parts each: the first trigram is in every first part, the second in every second one.
  const shard = {
    groups: Uint32Array.from([0, 0, 2, 2, 4, 4, 6, 6, 8]),
    parts: Uint32Array.from({ length: 8 }, (_, part) => part * 8192),
    textBytes: 65_536,
    list: (trigram: number) => Uint32Array.from(trigram === 1 ? [0, 2, 4, 6] : [1, 3, 5, 7]),
    listBytes: (trigram: number) => trigram,
    hasBits: () => true,
    bits: (trigram: number) => Uint32Array.of(trigram === 1 ? 0x55 : 0xaa),
  };
  const trigram = (value: number) => ({ kind: 'trigram', value });
  const query = { kind: 'and', parts: [trigram(1), trigram(2)] };
  const chosen = chooseParts(shard as never, { query, words: [] } as never, false);
  expect([...(chosen as Uint32Array)]).toEqual([0, 2, 4, 6]);
});
