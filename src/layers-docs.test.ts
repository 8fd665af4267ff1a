/** docs/architecture.md names every room of src/, and only files that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('..', import.meta.url);
const text = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

function foldersOf(layer: string): string[] {
  return readdirSync(new URL(`src/${layer}/`, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The words of a layer in the tree of folders: its line, and the lines below that are indented further. */
function roomsNamed(layer: string): string[] {
  const [, listed = ''] = new RegExp(`^  ${layer}/((?: .*\\n)(?: {10,}.*\\n)*)`, 'm').exec(text) ?? [];
  return listed.split(/\s+/);
}

describe('docs/architecture.md', () => {
  it.each(['transports', 'features', 'engines', 'platform'])('names every folder of %s', (layer) => {
    const named = roomsNamed(layer);
    expect(foldersOf(layer).filter((folder) => !named.includes(folder))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const paths = [...text.matchAll(/`((?:src|web|test|docs|bench|scripts)\/[\w./-]*)`/g)].map(
      ([, path]) => path!,
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([]);
  });

  it('takes five minutes to read', () => {
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1505);
  });
});
