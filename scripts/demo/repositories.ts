/** The demo's four repositories, with a history that several people wrote over months. */
import { join } from 'node:path';
import {
  type FixtureFiles,
  type FixtureRepository,
  makeRepository,
} from '../../test/helpers/git/git-fixtures.ts';
import * as code from './code.ts';
import type { DemoPeople } from './organization.ts';
import { DAY } from './story.ts';

export const ADA = { name: 'Ada Lovelace', email: 'ada@acme.example' };
export const GRACE = { name: 'Grace Hopper', email: 'grace@acme.example' };
export const JOAN = { name: 'Joan Clarke', email: 'joan@acme.example' };

/** A commit: who wrote it, how many minutes ago, its message and files. */
type Commit = [author: typeof ADA, minutes: number, message: string, files: FixtureFiles];

const only = (files: Record<string, unknown>, ...paths: string[]) =>
  Object.fromEntries(paths.map((path) => [path, files[path]])) as FixtureFiles;
const without = (files: Record<string, unknown>, ...paths: string[]) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path))) as FixtureFiles;

const HISTORIES: Record<string, Commit[]> = {
  'acme/money': [
    [GRACE, 210 * DAY, 'Start with tax and sums', without(code.LIBRARY, 'test/money.test.ts')],
    [ADA, 140 * DAY, 'Test the rounding', only(code.LIBRARY, 'test/money.test.ts')],
  ],
  'acme/catalogue': [
    [
      GRACE,
      200 * DAY,
      'Serve products over HTTP',
      without(code.CATALOGUE, 'src/events.ts', 'test/products.test.ts'),
    ],
    [JOAN, 120 * DAY, 'Tell other services when a price changes', only(code.CATALOGUE, 'src/events.ts')],
    [ADA, 61 * DAY, 'Test that prices include tax', only(code.CATALOGUE, 'test/products.test.ts')],
  ],
  'acme/web-shop': [
    [ADA, 190 * DAY, 'Take orders', without(code.SHOP, 'src/price-tag.ts', 'src/server.ts', 'Dockerfile')],
    [JOAN, 131 * DAY, 'Show prices as @acme/money formats them', only(code.SHOP, 'src/price-tag.ts')],
    [GRACE, 90 * DAY, 'Read products from the catalogue', only(code.SHOP, 'src/server.ts')],
    [ADA, 44 * DAY, 'Build an image', only(code.SHOP, 'Dockerfile')],
  ],
  'acme/telemetry': [
    [JOAN, 180 * DAY, 'Take the reports of robots', without(code.TELEMETRY, 'telemetry/store.py')],
    [JOAN, 150 * DAY, 'Delete reports after 90 days', only(code.TELEMETRY, 'telemetry/store.py')],
  ],
};

export interface DemoRepositories {
  origins: Record<string, FixtureRepository>;
  ids: Record<string, string>;
  /** Has the service fetch a repository after a push. */
  fetch(name: string): Promise<void>;
  hasBranch(name: string, branch: string): Promise<boolean>;
}

const POLL_MS = 200;
const MAX_WAIT_MS = 120_000;

/** Below `folder`; waits until the service has indexed them. */
export async function makeDemoRepositories(
  { ada, people }: DemoPeople,
  folder: string,
  now: Date,
): Promise<DemoRepositories> {
  const origins: Record<string, FixtureRepository> = {};
  const ids: Record<string, string> = {};
  for (const [name, commits] of Object.entries(HISTORIES)) {
    const origin = await makeRepository({}, { name: `${name}.git`, parent: join(folder, 'git') });
    for (const [author, minutes, message, files] of commits)
      await origin.commit(files, { author, message, at: new Date(now.getTime() - minutes * 60_000) });
    origins[name] = origin;
    ids[name] = (await people.send(ada, 'POST', '/api/v2/repositories', { url: origin.folder, name })).id;
  }
  const read = (name: string) => people.send(ada, 'GET', `/api/v2/repositories/${ids[name]}`);
  for (const name of Object.keys(ids)) await until(async () => (await read(name)).state === 'ready', name);
  return {
    origins,
    ids,
    async fetch(name) {
      await people.send(ada, 'POST', `/api/v2/repositories/${ids[name]}/refresh`);
    },
    async hasBranch(name, branch) {
      const refs = await people.send(ada, 'GET', `/api/v2/repositories/${ids[name]}/refs?search=${branch}`);
      return JSON.stringify(refs).includes(`"${branch}"`);
    },
  };
}

/** Waits until something is so; fails after two minutes, naming it. */
export async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + MAX_WAIT_MS; !(await isSo()); ) {
    if (Date.now() > endMs) throw new Error(`Waited too long for ${what}`);
    await new Promise((passed) => setTimeout(passed, POLL_MS));
  }
}
