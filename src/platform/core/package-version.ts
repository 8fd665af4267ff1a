/** The package's own version: its file stands three folders up in the sources and in the build alike. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
