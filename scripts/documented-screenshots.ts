/** The screenshots in the README; only these are committed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '..');
export const DOCS_FOLDER = join(PROJECT, 'docs', 'screenshots');

/** Names of files in docs/screenshots. */
export function readDocumentedScreenshots(): string[] {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
  return [...readme.matchAll(/docs\/screenshots\/([\w-]+\.png)/g)].map(([, name]) => name!);
}
