/** Modules of scripts that the `paths` of the tsconfig.json or jsconfig.json above them map to files. */
import { posix } from 'node:path';
import { folderOf } from './resolve-module.ts';
import type { ReviewCode } from './review-code.ts';

const MAX_EXTENDS = 5;
const COMMENT_OR_TEXT = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

interface Settings {
  extends?: unknown;
  compilerOptions?: { baseUrl?: unknown; paths?: Record<string, unknown> };
}

/** Paths from the root, without the ending if the module has none; empty when no setting maps it. */
export async function mappedPaths(
  code: ReviewCode,
  head: ReadonlySet<string>,
  from: string,
  module: string,
): Promise<string[]> {
  let file = settingsAbove(head, from);
  for (let depth = 0; file !== undefined && depth < MAX_EXTENDS; depth += 1) {
    const settings = parse(await code.read('head', file));
    const { baseUrl, paths } = settings?.compilerOptions ?? {};
    if (paths && typeof paths === 'object') {
      const root = posix.join(folderOf(file), typeof baseUrl === 'string' ? baseUrl : '.');
      return Object.entries(paths).flatMap(([pattern, targets]) => {
        const [start = '', end] = pattern.split('*');
        const isMatch =
          end === undefined
            ? module === pattern
            : start !== '' && module.startsWith(start) && module.endsWith(end);
        if (!isMatch || !Array.isArray(targets)) return [];
        const rest = end === undefined ? '' : module.slice(start.length, module.length - end.length);
        return targets
          .filter((target) => typeof target === 'string')
          .map((target) =>
            posix.join(
              root,
              target.replace('*', () => rest),
            ),
          );
      });
    }
    const { extends: parent } = settings ?? {};
    if (typeof parent !== 'string' || !parent.startsWith('.')) return [];
    const path: string = posix.join(folderOf(file), parent);
    file = [path, `${path}.json`].find((each) => head.has(each));
  }
  return [];
}

function settingsAbove(head: ReadonlySet<string>, path: string): string | undefined {
  for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
    const found = ['tsconfig.json', 'jsconfig.json'].find((name) => head.has(`${folder}${name}`));
    if (found) return `${folder}${found}`;
    if (folder === '') return undefined;
  }
}

/** With comments and commas at the end, as editors write it. */
function parse(text: string | null): Settings | undefined {
  const plain = text
    ?.replaceAll(COMMENT_OR_TEXT, (part) => (part.startsWith('"') ? part : ''))
    .replaceAll(/,(?=\s*[}\]])/g, '');
  try {
    return JSON.parse(plain ?? '') as Settings;
  } catch {
    return undefined;
  }
}
