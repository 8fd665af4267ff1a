/** The version of the code that extracts facts: stored facts of another version are extracted again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

let known: number | undefined;

/** The checksum of the engine's own files, so that nobody has to remember to raise a number. */
export function extractionVersion(): number {
  if (known !== undefined) return known;
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !/\.test\.[jt]s$/.test(file))
    .sort();
  known = 0;
  for (const file of files) known = crc32(readFileSync(join(folder, file)), known);
  return known;
}
