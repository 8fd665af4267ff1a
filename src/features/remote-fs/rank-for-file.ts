/** Puts first the definitions that a name in a file most likely means: its own, then those it imports, then those nearby. Pure. */
import { isTestPath } from '../../engines/facts/index.ts';
import type { ImportedModule } from '../../platform/core/ports/code-facts.ts';

const TESTS_LATER = 100;
const MAX_NEARNESS = 20;

/** Definitions of equal rank keep their order. */
export function rankForFile<Definition extends { path: string }>(
  definitions: readonly Definition[],
  from: { path: string; name: string; imports: readonly ImportedModule[] },
): Definition[] {
  const ranks = new Map<string, number>();
  const rankOf = ({ path }: Definition) => {
    const known = ranks.get(path) ?? rank(path, from);
    ranks.set(path, known);
    return known;
  };
  return definitions.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rank(
  path: string,
  from: { path: string; name: string; imports: readonly ImportedModule[] },
): number {
  if (path === from.path) return 0;
  const modules = from.imports.filter(({ module }) => isModuleAt(path, module, from.path));
  const isNamed = modules.some(({ names }) =>
    names.some(({ as, name }) => name === from.name || as === from.name),
  );
  if (isNamed) return 1;
  if (modules.length > 0) return 2;
  const isLater = isTestPath(path) && !isTestPath(from.path);
  return MAX_NEARNESS - Math.min(nearness(path, from.path), MAX_NEARNESS - 3) + (isLater ? TESTS_LATER : 0);
}

/** The number of folders that both are in. */
function nearness(one: string, other: string): number {
  const [a, b] = [foldersOf(one), foldersOf(other)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same;
}

/** Whether a module as it is written in one file can be another file: its path, the name of its folder, or its last two words. */
function isModuleAt(path: string, module: string, from: string): boolean {
  const target = withoutExtension(path);
  const folders = foldersOf(path);
  if (/^\.{1,2}(?:\/|$)/.test(module)) {
    const parts = foldersOf(from);
    for (const part of withoutExtension(module).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '.') parts.push(part);
    }
    const wanted = parts.join('/');
    return target === wanted || path === wanted || target === `${wanted}/index`;
  }
  const words = module.split(/[./:\\]+/).filter((word) => word !== '' && word !== 'crate' && word !== 'self');
  const end = words.slice(-2).join('/');
  return end !== '' && [target, folders.join('/')].some((each) => each === end || each.endsWith(`/${end}`));
}

function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function withoutExtension(path: string): string {
  return path.replace(/(?<=[^/.])\.[^/.]+$/, '');
}
