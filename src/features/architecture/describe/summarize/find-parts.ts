/** The parts of a monorepo: folders with a package or an image of their own. */
import type { PlacedFact } from '../../../../platform/core/ports/code-facts.ts';
import { isTest, isVendored } from './kinds-of-paths.ts';

const MAX_PARTS = 500;
/** Folders with code that is shown or tried out, rather than used. */
const NO_PART = /(?:^|\/)(?:examples?|samples?|fixtures?|docs?|\.[^/]+)(?:\/|$)/i;

/** The longest path first; the root isn't a part. */
export function findParts(facts: readonly PlacedFact[]): string[] {
  const folders = new Set<string>();
  for (const { kind, name, path, role } of facts) {
    const isImage = kind === 'infrastructure' && name.startsWith('docker:');
    if (role !== 'provides' || !(kind === 'package' || isImage)) continue;
    const folder = folderOf(path);
    if (folder === '' || NO_PART.test(folder) || isVendored(path) || isTest(path)) continue;
    folders.add(folder);
    if (folders.size === MAX_PARTS) break;
  }
  return [...folders].sort((left, right) => right.length - left.length || (left < right ? -1 : 1));
}

/** The innermost part that the path is in; empty for the root. */
export function partOf(path: string, parts: readonly string[]): string {
  return parts.find((part) => path.startsWith(`${part}/`)) ?? '';
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
