/** The last commits of entries, in made-up histories with merges, compared with the definition. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchEntries } from './match-entries.ts';

const ID_BYTES = 20;

interface Made {
  parents: number[];
  /** The content of each entry, which is the number of the commit that wrote it. */
  contents: number[];
}

/** Every commit but the first has one or two earlier parents. */
const histories = fc.integer({ min: 1, max: 40 }).chain((entries) =>
  fc
    .array(
      fc.record({
        parents: fc.array(fc.nat(3), { minLength: 1, maxLength: 2 }),
        changed: fc.array(fc.nat(4), { minLength: entries, maxLength: entries }),
      }),
      { minLength: 1, maxLength: 25 },
    )
    .map((drafts) => {
      const made: Made[] = [];
      for (const [number, { changed, parents: back }] of drafts.entries()) {
        const parents = number === 0 ? [] : [...new Set(back.map((by) => Math.max(0, number - 1 - by)))];
        const contents = changed.map((choice, entry) => {
          const [one, other] = [made[parents[0]!], made[parents.at(-1)!]];
          if (choice === 0 || !one) return number;
          return (choice === 1 ? other! : one).contents[entry]!;
        });
        made.push({ parents, contents });
      }
      return made;
    }),
);

const nameOf = (entry: number) => `entry ${entry}`;
const idOf = (entry: number, content: number) =>
  Buffer.from(`${entry}:${content}`.padEnd(ID_BYTES)).toString('latin1');

function treeOf(contents: readonly number[]): Buffer {
  const entries = contents.map((content, entry) => `100644 ${nameOf(entry)}\0${idOf(entry, content)}`);
  return Buffer.from(entries.join(''), 'latin1');
}

/** Commits that the newest one reaches, in an order that times could give: newest first, but some parents too early. */
function walkOf(made: readonly Made[], swaps: readonly number[]): number[] {
  const reached = new Set([made.length - 1]);
  for (const number of reached) for (const parent of made[number]!.parents) reached.add(parent);
  const order = [...reached].sort((one, other) => other - one);
  for (const at of swaps)
    if (at > 0 && at + 1 < order.length) [order[at], order[at + 1]] = [order[at + 1]!, order[at]!];
  return order;
}

it('is the commit after which no parent has the entry as it is now', () => {
  fc.assert(
    fc.property(histories, fc.array(fc.nat(20), { maxLength: 5 }), (made, swaps) => {
      const newest = made.at(-1)!;
      const now = new Map(newest.contents.map((content, entry) => [nameOf(entry), idOf(entry, content)]));
      const matches = matchEntries(now);
      const found = new Map<string, string>();
      for (const number of walkOf(made, swaps)) {
        const { contents, parents } = made[number]!;
        const version = { commit: `${number}`, parents: parents.map(String), tree: treeOf(contents) };
        for (const { commit, name } of matches.add(version, ID_BYTES)) found.set(name, commit);
      }
      expect(matches.left()).toBe(0);
      const expected = newest.contents.map((content, entry) => [nameOf(entry), `${content}`]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    }),
  );
});
