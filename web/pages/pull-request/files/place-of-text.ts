/** The file, line and commit of a shown line: removed lines are at the base, others at the head. */
import type { NamePlace } from '../../../parts/code/names/use-definitions.ts';
import type { ChangedFile } from '../diff/diff-types.ts';

export function placeOfText(
  text: HTMLElement,
  compared: {
    files: readonly ChangedFile[];
    from: string;
    to: string;
    repository: { id: string; name: string };
  },
): NamePlace | undefined {
  const path = text.closest<HTMLElement>('[data-path]')?.dataset.path;
  const file = compared.files.find((each) => each.path === path);
  const isRemoved = text.dataset.kind === 'removed';
  const number = (of: string) =>
    text.parentElement?.querySelector<HTMLElement>(`.number[data-side="${of}"]`)?.dataset.number;
  // An unchanged line is the same at the head, also where the old side shows it.
  const line = isRemoved ? number('old') : number('new');
  if (!file || line === undefined) return undefined;
  return {
    repository: compared.repository.name,
    repositoryId: compared.repository.id,
    commit: isRemoved ? compared.from : compared.to,
    path: isRemoved ? (file.oldPath ?? file.path) : file.path,
    line: Number(line),
  };
}
