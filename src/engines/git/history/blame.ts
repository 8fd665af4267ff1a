/** Finds the commits that changed a file or some of its lines: the last one of each line, or all of them. */
import type { BlamedLines, HistoryCommit } from '../../../platform/core/ports/code-differences.ts';
import { GitFailure } from '../run/git-failure.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { readCommits, readTime } from './history.ts';

const MAX_LINE_BYTES = 16 * 1024;
const LINE_FEED = 10;
/** The id of the commit, the line's number there and here, and at the start of a run the number of its lines. */
const RUN = /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/;

/** A file at a commit, by its full id, and a range of its lines. */
export interface FileLines {
  gitDir: string;
  commit: string;
  path: string;
  lines: { from: number; to: number } | null;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

type Details = Omit<BlamedLines, 'startLine' | 'endLine'>;

/** Runs of lines with the commit that last changed them, in order; none when the file is shorter. */
export async function blame({ commit, lines, path, ...options }: FileLines): Promise<BlamedLines[]> {
  const range = lines ? ['-L', `${lines.from},${lines.to}`] : [];
  // It doesn't know `--end-of-options`; the commit is a full id.
  const args = ['blame', '--porcelain', ...range, commit, '--', path];
  const known = new Map<string, Details>();
  const runs: { commit: string; startLine: number; endLine: number }[] = [];
  let details: Details | undefined;
  try {
    for await (const bytes of splitOutput(readOutput(args, options), LINE_FEED, MAX_LINE_BYTES)) {
      const text = bytes.toString('utf8');
      // The line itself, which can look like anything else.
      if (text.startsWith('\t')) continue;
      const [, id, start, count] = RUN.exec(text) ?? [];
      if (id !== undefined) {
        const startLine = Number(start);
        runs.push({ commit: id, startLine, endLine: startLine + Number(count) - 1 });
        details = known.get(id);
        if (!details) {
          details = { commit: id, authorName: '', authoredAt: 0, subject: '', path, previous: null };
          known.set(id, details);
        }
      } else if (details) readDetail(details, text);
    }
  } catch (error) {
    if (error instanceof GitFailure && /has only \d+ lines?/.test(error.stderrTail)) return [];
    throw error;
  }
  return runs.map((run) => ({ ...known.get(run.commit)!, ...run }));
}

function readDetail(details: Details, text: string): void {
  const space = text.indexOf(' ');
  const value = text.slice(space + 1);
  const name = text.slice(0, space);
  if (name === 'author') details.authorName = value;
  else if (name === 'author-time') details.authoredAt = readTime(value);
  else if (name === 'summary') details.subject = value;
  else if (name === 'filename') details.path = value;
  else if (name === 'previous') {
    const end = value.indexOf(' ');
    details.previous = { commit: value.slice(0, end), path: value.slice(end + 1) };
  }
}

/** The commits that changed a file, also under earlier names, or some of its lines; newest first, at most `limit`. */
export async function listFileCommits({
  commit,
  limit,
  lines,
  path,
  ...options
}: FileLines & { limit: number }): Promise<HistoryCommit[]> {
  const how = lines ? [`-L${lines.from},${lines.to}:${path}`, '--no-patch'] : ['--follow'];
  const what = lines ? [] : ['--', path];
  try {
    return await readCommits([...how, `--max-count=${limit}`], [commit, ...what], options);
  } catch (error) {
    if (error instanceof GitFailure && /has only \d+ lines?/.test(error.stderrTail)) return [];
    throw error;
  }
}
