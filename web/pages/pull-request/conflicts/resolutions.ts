/** A person's choice for each conflict. It is kept for as long as the conflict is the same, also after a push. Pure. */
import type { CallInput, CallOutput } from '../../../api/client.ts';

export type Conflicts = CallOutput<'list-merge-conflicts'>;
export type File = Conflicts['files'][number];
export type Hunk = NonNullable<File['hunks']>[number];
export type Resolution = CallInput<'resolve-merge-conflicts'>['files'][number]['hunks'][number];
export type Resolutions = Readonly<Record<string, Resolution>>;

/** Files can have the same conflict twice. */
export function keyOf({ path }: File, { base, head }: Hunk, index: number): string {
  return JSON.stringify([path, index, head, base]);
}

export function textOf({ base, head }: Hunk, resolution: Resolution | undefined): string {
  switch (resolution?.take) {
    case 'text':
      return resolution.text ?? '';
    case 'base':
      return base;
    case 'both':
      // At the end of a file, a side can be without a line break.
      return head !== '' && base !== '' && !head.endsWith('\n') ? `${head}\n${base}` : head + base;
    default:
      return head;
  }
}

export function canResolve({ blocked, files, total }: Conflicts): boolean {
  return blocked === null && files.length === total && files.every(({ hunks }) => hunks !== null);
}

/** How many there are, and the keys of those without a choice. */
export function openConflicts({ files }: Conflicts, chosen: Resolutions): { total: number; open: string[] } {
  const keys = files.flatMap((file) => (file.hunks ?? []).map((hunk, index) => keyOf(file, hunk, index)));
  return { total: keys.length, open: keys.filter((key) => !chosen[key]) };
}

export function filesToSend({ files }: Conflicts, chosen: Resolutions) {
  return files.map((file) => ({
    path: file.path,
    hunks: (file.hunks ?? []).flatMap((hunk, index) => chosen[keyOf(file, hunk, index)] ?? []),
  }));
}
