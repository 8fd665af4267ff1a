/** The lock file lists everything that `npm ci` needs on every platform, and names no registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

interface Entry {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const file = join(import.meta.dirname, '..', '..', '..', 'package-lock.json');
const packages = JSON.parse(readFileSync(file, 'utf8')).packages as Record<string, Entry>;

/** Where a package's dependency can be installed: beside it, or in any parent folder. */
function places(from: string, name: string): string[] {
  const above = from === '' ? [] : from.split('/node_modules/');
  const folders = above.map((_, index) => `${above.slice(0, index + 1).join('/node_modules/')}/`);
  return ['', ...folders].map((folder) => `${folder}node_modules/${name}`);
}

it('has an entry for every optional dependency: npm install tolerates a missing one, npm ci does not', () => {
  const missing = Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !places(from, name).some((place) => packages[place]))
      .map((name) => `${from} wants ${name}`),
  );
  expect(missing).toEqual([]);
});

it('names no registry', () => {
  expect(Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
});
