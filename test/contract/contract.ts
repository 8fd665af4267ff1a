/**
 * The contract as a black box: cases that need a URL and a key and nothing else, so that any server can be held to
 * them. Each file in `cases` is found by being there; a further endpoint is one more file.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Case } from './server.ts';

const FOLDER = join(import.meta.dirname, 'cases');

/** Without a repository, the cases that need one are left out. */
export async function loadCases(repository?: string): Promise<{ file: string; cases: Case[] }[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const module = (await import(pathToFileURL(join(FOLDER, file)).href)) as { cases: Case[] };
      const cases = module.cases.filter((each) => repository !== undefined || !each.needsRepository);
      return { file: file.replace(/\.ts$/, ''), cases };
    }),
  );
}
