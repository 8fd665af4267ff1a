/** The meaning of git's modes of files: executable, a symbolic link, a submodule. Pure. */
import type { ChangedFile } from './diff-types.ts';

const NAMES: Record<string, string> = {
  '100755': 'executable',
  '120000': 'symbolic link',
  '160000': 'submodule',
};

type Mode = string | null | undefined;

/** Undefined if nothing changed that matters. */
export function describeMode({
  newMode,
  oldMode,
}: Pick<ChangedFile, 'oldMode' | 'newMode'>): string | undefined {
  if (!newMode || oldMode === newMode) return undefined;
  const [before, after] = [NAMES[oldMode ?? ''], NAMES[newMode]];
  if (!oldMode) return after;
  if (before === after) return undefined;
  if (before === 'executable' && after === undefined) return 'no longer executable';
  if (after === 'executable' && before === undefined) return 'now executable';
  return `${before ?? 'file'} → ${after ?? 'file'}`;
}

export const isLink = (mode: Mode) => mode === '120000';
export const isSubmodule = (mode: Mode) => mode === '160000';
