/** Reads the busiest folders and people of the year before a commit from its history. */
import type { CommitFacts } from '../../platform/core/ports/code-facts.ts';
import { GitFailure, runGit } from '../git/index.ts';
import { foldersOf } from './path-kinds.ts';

/** Comparing the trees of a commit takes about a millisecond in a large repository. */
const MAX_COMMITS = 2000;
const TIMEOUT_MS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_LISTED = 20;
const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** A commit that changes more files was made by a tool. */
const MAX_CHANGED_FILES = 1000;

type Activity = CommitFacts['activity'] & { leftOut: string[] };

export async function readActivity(gitDir: string, commit: string, signal: AbortSignal): Promise<Activity> {
  try {
    const run = (args: string[]) =>
      runGit(['log', ...args, '--end-of-options', commit], {
        gitDir,
        signal,
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      });
    const { stdout: date } = await run(['-1', '--format=%ct']);
    const since = Number(date.toString()) - YEAR_SECONDS;
    const { stdout } = await run([
      ...[`--since=${since}`, `--max-count=${MAX_COMMITS}`, '--no-merges', '--no-renames', '-z'],
      ...['--format=%x01%aN%x02', '--name-only'],
    ]);
    return sum(stdout.toString());
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitFailure)) throw error;
    return { folders: [], people: [], leftOut: ['the activity of the last year was not read'] };
  }
}

/** Each commit is `\1author\2`, and its paths follow, separated by NUL. */
function sum(output: string): Activity {
  const folders = new Map<string, number>();
  const people = new Map<string, number>();
  const commits = output.split('\x01').slice(1);
  for (const each of commits) {
    const [author = '', changed = ''] = each.split('\x02');
    people.set(author, (people.get(author) ?? 0) + 1);
    const paths = changed.split('\0').map((path) => path.replace(/^\n+/, ''));
    if (paths.length > MAX_CHANGED_FILES) continue;
    for (const folder of new Set(paths.flatMap(foldersOf)))
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  return {
    folders: busiest(folders).map(([path, count]) => ({ path, commits: count })),
    people: busiest(people).map(([name, count]) => ({ name, commits: count })),
    leftOut:
      commits.length < MAX_COMMITS ? [] : [`only the last ${MAX_COMMITS} commits count toward the activity`],
  };
}

function busiest(counts: Map<string, number>): [string, number][] {
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, MAX_LISTED);
}
