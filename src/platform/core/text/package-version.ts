/** The package's version, from package.json: three folders up, both in the sources and in the build. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function packageVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
