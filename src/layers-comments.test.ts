/** Comments give reasons: one that begins with "What …", "Of …" or "So many …" is a label, which belongs in the name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = ['src', 'web', 'test', 'scripts', 'bench'];
/** Its comments are descriptions of fields, which are written for users of the API. */
const GENERATED = 'src/client/index.ts';
const LABEL = /(?:^|[\s{])(?:\/\/|\/\*\*?(?:\s*\n\s*\*)?)[ \t]*(?:What|Of|So many)\b/g;

it('begins no comment with "What", "Of" or "So many"', () => {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => /\.(?:[cm]?js|tsx?)$/.test(file) && file !== GENERATED)
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        return [...text.matchAll(LABEL)].map(({ 0: comment, index }) => {
          const line = text.slice(0, index + comment.length).split('\n').length;
          return `${file}:${line}: say the reason in one plain sentence, or leave the comment out`;
        });
      }),
  );
  expect(found).toEqual([]);
});
