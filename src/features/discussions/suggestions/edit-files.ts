/** The files of a head with suggestions applied: refuses lines that changed, and two suggestions for the same lines. */
import { type Context, callOf } from '../../../context.ts';
import { MASK } from '../../../engines/review/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { FileText } from '../../../platform/core/ports/code-differences.ts';
import { editLines, type LineEdit } from './edit-lines.ts';
import { type ChosenSuggestion, outdated, placeOf } from './find-suggestions.ts';

/** Together, however many files there are. */
const MAX_BYTES = 16 * 1024 * 1024;

export async function editFiles(
  context: Context,
  repositoryId: string,
  head: string,
  chosen: ChosenSuggestion[],
): Promise<{ path: string; content: string }[]> {
  const placed = chosen.map((suggestion) => ({ ...suggestion, place: placeOf(suggestion, head) }));
  const textOf = await readEach(
    context,
    repositoryId,
    placed.flatMap(({ discussion, place }) => [
      { commit: head, path: place.file },
      { commit: place.commit, path: discussion.file },
    ]),
  );
  const byFile = Map.groupBy(placed, ({ place }) => place.file);
  return [...byFile].map(([path, some]) => {
    const now = textOf(head, path);
    // Other encodings would not survive being read and written as text.
    if (now?.kind !== 'text' || now.text.includes('\ufffd'))
      throw new Problem('conflict', `${path} is not a text file in UTF-8, or too large.`);
    const edits = some.map(({ discussion, id, lines, place }): LineEdit => {
      const then = textOf(place.commit, discussion.file);
      if (then?.kind !== 'text') throw outdated([id]);
      const before = then.text.split('\n').slice(discussion.start_line - 1, discussion.end_line);
      refuseMasks(id, before, lines);
      return { id, startLine: place.startLine, endLine: place.endLine, before, after: lines };
    });
    const edited = editLines(now.text, edits);
    if (edited.kind === 'outdated') throw outdated(edited.ids);
    if (edited.kind === 'overlap')
      throw new Problem(
        'conflict',
        `Two suggestions change the same lines: ${edited.ids.join(' and ')}. Choose one of them. Nothing was applied.`,
      );
    return { path, content: edited.text };
  });
}

/** Reads each file once, however many suggestions it has. */
async function readEach(
  context: Context,
  repositoryId: string,
  wanted: { commit: string; path: string }[],
): Promise<(commit: string, path: string) => FileText | undefined> {
  const keyOf = (commit: string, path: string) => `${commit} ${path}`;
  const files = [...new Map(wanted.map((each) => [keyOf(each.commit, each.path), each])).values()];
  const texts = await context.code.readTexts(repositoryId, { files, maxBytes: MAX_BYTES }, callOf(context));
  const byKey = new Map(files.map(({ commit, path }, index) => [keyOf(commit, path), texts[index]]));
  return (commit, path) => byKey.get(keyOf(commit, path));
}

/** Tokens are masked in comments: the rest of one can't be restored, and the mask must not get into the code. */
function refuseMasks(id: string, before: readonly string[], after: readonly string[]): void {
  const masked = new RegExp(`[\\w+/=-]${MASK}`, 'g');
  const known = new Set(before.join('\n').match(masked));
  const isMasked = (after.join('\n').match(masked) ?? []).some((each) => !known.has(each));
  if (isMasked)
    throw new Problem(
      'conflict',
      `The suggestion at ${id} contains a token that is masked here. Change these lines in the branch instead.`,
    );
}
