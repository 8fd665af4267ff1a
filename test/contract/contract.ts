/**
 * Black-box tests of the public API: they need only a URL and a key, so they can run against any server. Every file in
 * `cases` is picked up automatically.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from './server.ts';

const FOLDER = join(import.meta.dirname, 'cases');

/** Without a repository, the cases that need one are skipped. `only` names one file of cases. */
export async function loadCases(
  repository?: string,
  only?: string,
): Promise<{ file: string; cases: Case[] }[]> {
  const files = readdirSync(FOLDER).filter((name) => (only ? name === `${only}.ts` : name.endsWith('.ts')));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const module = (await import(pathToFileURL(join(FOLDER, file)).href)) as { cases: Case[] };
      const cases = module.cases.filter((each) => repository !== undefined || !each.needsRepository);
      return { file: file.replace(/\.ts$/, ''), cases };
    }),
  );
}
