/** The findings about moved files that are still imported. */
import type { Found } from '../../check.ts';
import type { Change } from '../../code/read-change.ts';
import { folderOf } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import type { Use } from './places.ts';

const MAX_SHOWN_USES = 5;

/** One finding for each pair of folders: a moved folder is one mistake. */
export async function describeMoves(change: Change, code: ReviewCode, uses: Use[]): Promise<Found[]> {
  const byFolders = Map.groupBy(uses, ({ moved: { from, to } }) => `${folderOf(from)}\n${folderOf(to)}`);
  const results: Found[] = [];
  for (const own of byFolders.values()) {
    const { from, to } = own[0]!.moved;
    const lines = (await code.read('base', from))?.split('\n') ?? [];
    const index = lines.findIndex((text) => text.trim() !== '');
    if (index === -1) continue;
    const isOne = own.every(({ moved }) => moved.from === from);
    const isGone = to === folderOf(to);
    const [old, now] = isOne ? [from, to] : [folderOf(from), folderOf(to)];
    const { line, path } = own[0]!.line;
    const more = own.length > 1 ? ` and ${own.length - 1} more ${own.length === 2 ? 'place' : 'places'}` : '';
    results.push({
      claim: 'removed_but_used',
      subject: old,
      title: isOne
        ? `${old} was ${isGone ? 'deleted' : 'moved'} but is still imported`
        : `Files of ${old || 'the root'} were moved but are still imported from there`,
      scenario: `${path}:${line}${more} still import${more === '' ? 's' : ''} ${isOne ? `${old}, ${isGone ? `whose folder is ${now}` : `which is ${now}`} now` : `files of ${old || 'the root'}, which are in ${now || 'the root'} now`}: the build fails, or that line fails when it runs.`,
      ...{ file: from, side: 'base', line: index + 1, quote: lines[index]! },
      evidence: own.slice(0, MAX_SHOWN_USES).map(({ line: use }) => ({
        ...{ side: 'head', path: use.path, line: use.line, quote: use.text.trim() },
      })),
      command: `git grep -nF -e ${shellWord(own[0]!.line.text.trim())} ${change.head.slice(0, 12)}`,
    });
  }
  return results;
}
