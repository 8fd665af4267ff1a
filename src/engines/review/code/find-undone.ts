/** Finds what a branch undid of the base when it merged the base: conflicts that were resolved with the old side. */
import { listChanges, readCommits, runGit } from '../../git/index.ts';
import type { UndoneFile } from './review-code.ts';

/** Older commits of the base that a branch was made from or merged. */
const MAX_COMMITS = 20;
/** For each, git looks for the commit that was undone. */
const MAX_FOUND = 20;
/** Commits of the branch whose messages are read. */
const MAX_OWN_COMMITS = 500;
/** A message that says so: the work was undone on purpose. */
const DELIBERATE = /\b(revert|undo|roll(s|ed|ing)?.?back|restor|back.?out)/i;

export async function findUndone(
  { from, gitDir, signal, to }: { gitDir: string; from: string; to: string; signal: AbortSignal },
  paths: string[],
): Promise<UndoneFile[]> {
  const ask = async (args: string[]) => (await runGit(args, { gitDir, signal })).stdout;
  const range = `${from}..${to}`;
  const merge = await ask(['rev-list', '--merges', '--max-count=1', range, '--']);
  if (merge.length === 0) return [];
  const own = await readCommits([`--max-count=${MAX_OWN_COMMITS}`], [to, `^${from}`], { gitDir, signal });
  if (own.some(({ body, subject }) => DELIBERATE.test(`${subject}\n${body}`))) return [];
  const listed = (await ask(['rev-list', '--boundary', range, '--'])).toString('latin1').split('\n');
  const older = listed.flatMap((line) =>
    line.startsWith('-') && line.slice(1) !== from ? [line.slice(1)] : [],
  );
  const found = new Map<string, UndoneFile>();
  const wanted = new Set(paths);
  for (const by of older.slice(0, MAX_COMMITS)) {
    const { files } = await listChanges({
      ...{ gitDir, from: by, to, signal, onlyPaths: paths, limit: paths.length },
      ...{ counts: false, renames: false, wants: ({ path }) => wanted.has(path) },
    });
    const differing = new Set(files.map(({ path }) => path));
    for (const path of paths) {
      if (differing.has(path) || found.has(path)) continue;
      if (found.size === MAX_FOUND) return [...found.values()];
      const revisions = [from, `^${by}`, '--', `:(literal)${path}`];
      const [lost] = await readCommits(['--max-count=1'], revisions, { gitDir, signal });
      if (lost) found.set(path, { path, by, lost: { commit: lost.commit, subject: lost.subject } });
    }
  }
  return [...found.values()];
}
