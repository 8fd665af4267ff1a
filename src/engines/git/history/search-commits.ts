/** Finds commits by their message, author, or the text that they added or removed, newest first, for as long as there is time. */
import type { CommitSearch, FoundCommits } from '../../../platform/core/ports/code-differences.ts';
import { GitFailure } from '../run/git-failure.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { runGit } from '../run/run-git.ts';
import { readTime } from './history.ts';

/** A longer history is searched in several requests. */
const MAX_LISTED = 200_000;
const MAX_PATHS = 10;
const MAX_FIELD_BYTES = 16 * 1024;
/** Small at first, so that there is progress to report however large the commits are. */
const FIRST_BATCH = 50;
const MAX_BATCH = 5000;
const QUICK_MS = 500;
const COMMIT = '\u0001';
const HEADER = '%x01%H%x00%an%x00%at%x00%s';

interface Where {
  gitDir: string;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

export async function searchCommits(
  search: CommitSearch,
  { gitDir, signal, timeoutMs }: Where,
): Promise<FoundCommits> {
  const endsAt = performance.now() + timeoutMs;
  const reading = () => ({ gitDir, signal, timeoutMs: Math.max(1, Math.round(endsAt - performance.now())) });
  // All of it can be used up by waiting for a turn.
  const listed = timeoutMs > 0 ? await listIds(search, reading()) : undefined;
  if (!listed) return { commits: [], searched: 0, total: search.skip, isLowerBound: true };
  const commits: FoundCommits['commits'] = [];
  const ids = listed.slice(0, MAX_LISTED);
  let searched = 0;
  for (let size = FIRST_BATCH; searched < ids.length && commits.length < search.limit; ) {
    const startedAt = performance.now();
    if (startedAt >= endsAt) break;
    const batch = ids.slice(searched, searched + size);
    const room = search.limit - commits.length;
    const { found, isComplete } = await searchBatch(search, batch, room, reading());
    commits.push(...found);
    // Commits come in order: those before the last one found were searched.
    searched += isComplete ? batch.length : found.length > 0 ? batch.indexOf(found.at(-1)!.commit) + 1 : 0;
    if (!isComplete && found.length < room) break;
    if (performance.now() - startedAt < QUICK_MS) size = Math.min(MAX_BATCH, size * 2);
  }
  return {
    commits,
    searched,
    total: search.skip + ids.length,
    isLowerBound: listed.length > MAX_LISTED,
  };
}

/** Undefined when there was no time for it. */
async function listIds({ commit, skip }: CommitSearch, reading: Where): Promise<string[] | undefined> {
  const args = ['rev-list', `--skip=${skip}`, `--max-count=${MAX_LISTED + 1}`, '--end-of-options', commit];
  try {
    const { stdout } = await runGit(args, { ...reading, signal: reading.signal! });
    return stdout.toString('latin1').split('\n').filter(Boolean);
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  }
}

async function searchBatch(
  search: CommitSearch,
  batch: string[],
  room: number,
  reading: Where,
): Promise<{ found: FoundCommits['commits']; isComplete: boolean }> {
  const found: FoundCommits['commits'] = [];
  const args = ['log', '--no-walk=unsorted', '--stdin', '-z', '--no-show-signature', `--format=${HEADER}`];
  const output = readOutput([...args, ...argumentsFor(search)], {
    ...reading,
    input: `${batch.join('\n')}\n`,
  });
  let header: string[] | undefined;
  let hasStatus = false;
  try {
    for await (const bytes of splitOutput(output, 0, MAX_FIELD_BYTES)) {
      const field = bytes.toString('utf8');
      if (hasStatus) {
        const { paths } = found.at(-1)!;
        if (paths.length < MAX_PATHS) paths.push(field);
        hasStatus = false;
      } else if (header) {
        header.push(field);
        if (header.length < 4) continue;
        const [commit, authorName, seconds, subject] = header as [string, string, string, string];
        found.push({ commit, authorName, authoredAt: readTime(seconds), subject, paths: [] });
        header = undefined;
      } else if (field.startsWith(COMMIT)) {
        if (found.length === room) return { found, isComplete: false };
        header = [field.slice(1)];
      } else hasStatus = field.trim() !== '';
    }
    return { found, isComplete: true };
  } catch (error) {
    if (isTimeout(error)) return { found, isComplete: false };
    throw error;
  }
}

/** Each text is one argument together with its option. */
function argumentsFor({ authors, ignoreCase, paths, place, terms }: CommitSearch): string[] {
  const args = ignoreCase ? ['--regexp-ignore-case'] : [];
  args.push('--fixed-strings', ...authors.map((author) => `--author=${author}`));
  if (place === 'message') args.push('--no-patch', ...terms.map((term) => `--grep=${term}`));
  else {
    args.push('--name-status', '--no-renames');
    if (terms.length === 1) args.push(`-S${terms[0]}`);
    else args.push(`-S${terms.map(escapeExpression).join('|')}`, '--pickaxe-regex');
  }
  return [...args, '--', ...paths];
}

/** As an extended regular expression of POSIX. */
function escapeExpression(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}

function isTimeout(error: unknown): boolean {
  return error instanceof GitFailure && error.reason === 'timeout';
}
