/** The rule that a review is about the newest head: what was pushed meanwhile, nobody has seen. */
import type { Context } from '../../../context.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import { openRange } from '../files/open-range.ts';
import { wasHead } from '../store/pull-request-store.ts';

const MAX_NAMES = 3;
const short = (commit: string) => commit.slice(0, 12);

/** A conflict that says what changed since the head that was reviewed, if that was one. */
export async function headMoved(
  context: Context,
  { head, pullRequestId, reviewed }: { pullRequestId: string; reviewed: string; head: string | null },
): Promise<Problem> {
  if (head === null)
    return new Problem('conflict', 'The head of this pull request has not been fetched yet.');
  const changed = (await wasHead(context.db, pullRequestId, reviewed))
    ? await describeChanges(context, pullRequestId, reviewed).catch(() => undefined)
    : undefined;
  const what = changed ?? `The newest commit is not ${short(reviewed)}`;
  return new Problem('conflict', `${what}. Review ${short(head)} and try again.`);
}

async function describeChanges(context: Context, pullRequestId: string, reviewed: string): Promise<string> {
  const range = await openRange(context, { pullRequestId, from: reviewed });
  const { commits, total } = await range.compare('listCommits', { limit: 100 });
  const files = (await range.compare('listChanges', { limit: 1 })).total;
  const names = [...new Set(commits.map(({ authorName }) => authorName))];
  const others = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} others` : '';
  const by = names.length > 0 ? ` by ${names.slice(0, MAX_NAMES).join(', ')}${others}` : '';
  return `Since ${short(reviewed)}, ${count(total, 'new commit')}${by} changed ${count(files, 'file')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
