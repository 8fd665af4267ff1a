/** Puts the facts of all files of a commit together. */
import type { CommitFacts, FileFacts } from '../../platform/core/ports/code-facts.ts';
import { showPath } from '../../platform/core/text/path-text.ts';
import { pathOf } from '../search/index.ts';
import { readActivity } from './activity.ts';
import { CommitWords } from './commit-words.ts';
import { KeptFacts } from './kept-facts.ts';
import { MAX_COMMIT_WORDS } from './limits.ts';
import type { FactFolders } from './messages.ts';
import type { JoinedFiles } from './open-commits.ts';
import { foldersOf } from './path-kinds.ts';
import { type FileWithSymbols, providedSymbols } from './provided-symbols.ts';

const MAX_COMMIT_FACTS = 100_000;
const MAX_FOLDERS = 1000;

const REASONS: Record<NonNullable<FileFacts['incomplete']>, string> = {
  too_large: 'not read: larger than 1 MiB',
  too_slow: 'not read completely: parsing took too long',
  too_deep: 'not read completely: nested too deeply',
  too_many: 'not read completely: too many definitions or facts',
  invalid: 'not read: the file could not be parsed',
};

export async function readCommitFacts(
  { gitDir }: FactFolders,
  commit: string,
  joined: JoinedFiles,
  signal: AbortSignal,
): Promise<CommitFacts> {
  const read = readFiles(joined);
  const activity = await readActivity(gitDir, commit, signal);
  return {
    commit,
    files: joined.files.count,
    ...read,
    activity: { folders: activity.folders, people: activity.people },
    leftOut: [...read.leftOut, ...activity.leftOut],
  };
}

function readFiles({
  factsOf,
  files,
  lacking,
  set,
}: JoinedFiles): Pick<CommitFacts, 'languages' | 'folders' | 'facts' | 'words' | 'leftOut'> {
  const languages = new Sums();
  const folders = new Sums();
  const kept = new KeptFacts(MAX_COMMIT_FACTS);
  const words = new CommitWords();
  const withSymbols: FileWithSymbols[] = [];
  const incomplete = new Map<string, number>();
  for (let file = 0; file < files.count; file += 1) {
    const number = factsOf[file]!;
    if (number < 0) continue;
    const { local, shard } = set.shardOf(number);
    const summary = shard.summary(local);
    if (summary.incomplete) incomplete.set(summary.incomplete, (incomplete.get(summary.incomplete) ?? 0) + 1);
    if (summary.isGenerated) continue;
    const path = showPath(pathOf(files, file));
    if (summary.language) languages.add(summary.language, summary.lines);
    for (const folder of foldersOf(path)) folders.add(folder, summary.lines);
    withSymbols.push({ path, language: summary.language, read: () => shard.symbols(local) });
    words.add(path, shard.words(local), shard.symbols(local).symbols);
    for (const fact of shard.facts(local)) kept.add({ ...fact, path });
  }
  const facts = kept.facts();
  const provided = providedSymbols(facts, withSymbols);
  facts.push(...provided.facts);
  const leftOut = [...incomplete].map(([reason, count]) =>
    clause(count, REASONS[reason as keyof typeof REASONS]),
  );
  if (lacking > 0) leftOut.push(clause(lacking, 'not read: missing on this node, or no room on its disk'));
  const moreFacts = kept.leftOut();
  if (moreFacts) leftOut.push(moreFacts);
  if (provided.leftOut > 0) leftOut.push(`${provided.leftOut} more exported symbols were left out`);
  return {
    languages: languages.largest(Infinity).map(({ key, ...sums }) => ({ language: key, ...sums })),
    folders: folders
      .largest(MAX_FOLDERS)
      .map(({ key, ...sums }) => ({ path: key, ...sums }))
      .sort((one, other) => (one.path < other.path ? -1 : 1)),
    facts,
    words: words.best(MAX_COMMIT_WORDS),
    leftOut,
  };
}

function clause(count: number, reason: string): string {
  return `${count} ${count === 1 ? 'file was' : 'files were'} ${reason}`;
}

class Sums {
  readonly #sums = new Map<string, { files: number; lines: number }>();

  add(key: string, lines: number): void {
    const sum = this.#sums.get(key) ?? { files: 0, lines: 0 };
    sum.files += 1;
    sum.lines += lines;
    this.#sums.set(key, sum);
  }

  /** By lines. */
  largest(max: number): { key: string; files: number; lines: number }[] {
    return [...this.#sums]
      .map(([key, sum]) => ({ key, ...sum }))
      .sort((one, other) => other.lines - one.lines || (one.key < other.key ? -1 : 1))
      .slice(0, max);
  }
}
