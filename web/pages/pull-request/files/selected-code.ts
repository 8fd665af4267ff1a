/** The text of selected lines of the new side, if all of them are shown. Pure. */
import type { LineSelection } from '../diff/line-selection.ts';
import type { Rows } from '../diff/use-rows.ts';

export function selectedCode({ files }: Rows, { first, last, path }: LineSelection): string | undefined {
  const file = files.find(({ state }) => state.file.path === path);
  const texts = new Map<number, string>();
  for (const row of file?.rows ?? []) {
    const line = row.type === 'line' ? row.right : undefined;
    if (line?.new !== undefined && first <= line.new && line.new <= last) texts.set(line.new, line.text);
  }
  if (texts.size !== last - first + 1) return undefined;
  return [...texts]
    .sort(([one], [other]) => one - other)
    .map(([, text]) => text)
    .join('\n');
}
