/** A person's choice for each conflict. It is kept for as long as the conflict is the same, also after a push. */
import { ApiProblem, type CallInput, type CallOutput } from '../../../api/client.ts';
import { keepDraft, readDraft } from '../../../components/drafts.ts';

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

const draftOf = (pullRequestId: string) => `conflicts:${pullRequestId}`;

/** Survives looking at other tabs of the page, and a reload. */
export function keepResolutions(pullRequestId: string, chosen: Resolutions): void {
  keepDraft(draftOf(pullRequestId), Object.keys(chosen).length > 0 ? JSON.stringify(chosen) : undefined);
}

export function keptResolutions(pullRequestId: string): Resolutions {
  return JSON.parse(readDraft(draftOf(pullRequestId)) ?? '{}');
}

/** The files in which an edited text still has conflict markers, if that is why it was refused. */
export function filesWithMarkers({ files }: Conflicts, error: Error | null): string[] {
  const fields = error instanceof ApiProblem ? error.fields : [];
  if (!fields.every(({ message }) => message.includes('conflict markers'))) return [];
  const places = fields.map(({ path }) => Number(/^files\[(\d+)\]/.exec(path)?.[1]));
  return [...new Set(places.flatMap((place) => files[place]?.path ?? []))];
}

export function filesToSend({ files }: Conflicts, chosen: Resolutions) {
  return files.map((file) => ({
    path: file.path,
    hunks: (file.hunks ?? []).flatMap((hunk, index) => chosen[keyOf(file, hunk, index)] ?? []),
  }));
}
