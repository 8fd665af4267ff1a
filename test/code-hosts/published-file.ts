/** Reads a file of an installed package that its `exports` don't list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export function publishedFile(packageName: string, file: string): string {
  return readFileSync(join(ROOT, 'node_modules', packageName, file), 'utf8');
}
