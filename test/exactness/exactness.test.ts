/** Searches find exactly what ripgrep finds in the files of a commit, whatever the index knows. `npm run test:exactness` takes 10,000 cases. */
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { compareSearches } from './compare-searches.ts';
import { makeSampleRepositories } from './sample-repositories.ts';

const CASES = Number(process.env.CASES ?? 16);
const SEED = seedOf(process.env.FAST_CHECK_SEED ?? '20261115');
const TIMEOUT_MS = 180_000 + CASES * 1000;

it(
  'finds the lines that ripgrep finds and the files that git lists, with any index',
  async () => {
    const isLong = CASES > 1000;
    const tell = (text: string) => isLong && process.stdout.write(`${text}\n`);
    tell(`seed ${SEED}, ${CASES} cases`);
    const { folder, samples } = await makeSampleRepositories();
    try {
      const { accepted, cases, globs, matched, refused } = await compareSearches(samples, {
        folder,
        cases: CASES,
        seed: SEED,
        onProgress: ({ cases }) => tell(`${cases} of ${CASES} cases`),
      });
      tell(
        `${cases} cases, ${globs} of them globs; ${accepted} patterns, ${matched} matched; ${refused} refused`,
      );
      expect(cases).toBeGreaterThanOrEqual(CASES);
      // Patterns that are refused or match nothing would prove nothing.
      expect(accepted).toBeGreaterThan((accepted + refused) * 0.75);
      expect(matched).toBeGreaterThan(accepted * 0.35);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  TIMEOUT_MS,
);

function seedOf(text: string): number {
  return text === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}
