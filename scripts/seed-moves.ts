/**
 * Real commits that moved files, with one file that they changed only to follow put back: does `moved_file_imported` find it? Commits
 * and files are chosen by patterns of changed lines, not by what the check reads, so some of what is put back still works.
 */
import { GitFailure, runGit } from '../src/engines/git/index.ts';
import { type BorrowedClone, putBack } from './seed-breaks.ts';

/** Files that can import something, the files that they can import, and the lines that do. */
const LANGUAGES: { endings: RegExp; imported: RegExp; line: RegExp }[] = [
  {
    endings: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    imported: /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|less|json|svg)$/,
    line: /^\s*(?:import|export)\b.*["']|^\s*\}?\s*from\s+["']|\b(?:require|import|\w*[mM]ock\w*|\w*Actual)\(\s*["'`]/,
  },
  {
    endings: /\.(?:css|scss|less)$/,
    imported: /\.(?:css|scss|less)$/,
    line: /^\s*@(?:import|use|forward)\b/,
  },
  { endings: /\.py$/, imported: /\.py$/, line: /^\s*(?:from|import)\s|\bpatch\(|import_module\(/ },
  {
    endings: /\.go$/,
    imported: /\.go$/,
    line: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"[\w./-]+"$|\b\w+\.[A-Z]\w*/,
  },
  { endings: /\.java$/, imported: /\.java$/, line: /^\s*import\s/ },
  { endings: /\.(?:cs|razor|cshtml)$/, imported: /\.cs$/, line: /^\s*(?:@|global\s+)?using\s/ },
  { endings: /\.csproj$|\.slnx?$/, imported: /\.csproj$/, line: /\.csproj"/ },
  { endings: /\.rb$/, imported: /\.rb$/, line: /^\s*(?:require|require_relative|autoload)\b/ },
  { endings: /\.rs$/, imported: /\.rs$/, line: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:use|mod)\s/ },
];
const NOT_READ = /(^|\/)(vendor|node_modules|third_party|testdata|(__)?fixtures?(__)?)\/|\.min\./;
/** Names in a list of imports, on lines of their own. */
const NAME_IN_LIST = /^\s*[\w$ *{}(),;:]*$/;
const MAX_CHANGED_LINES = 12;

export interface SeededMove {
  base: string;
  head: string;
  seeded: string;
  from: string;
  to: string;
  /** The file that was put back. */
  path: string;
  /** A line of it that names the old place. */
  line: string;
}

/** Commits of the first parents that rename files, newest first. */
export async function listMoves(
  clone: string,
  { commits, skip }: { commits: number; skip: number },
): Promise<string[]> {
  const list = (similarity: string) =>
    git(clone, [
      ...['log', '--first-parent', '--diff-merges=first-parent', '--min-parents=1', '--diff-filter=R'],
      ...[similarity, `--max-count=${commits}`, `--skip=${skip}`, '--format=%H', '--name-only', 'HEAD'],
    ]);
  const listed = await list('-M').catch((error: unknown) => {
    // Without the objects that the clone lacks, git only knows which files moved as they were.
    if (error instanceof GitFailure) return list('-M100%');
    throw error;
  });
  return [...listed.matchAll(/^[0-9a-f]{40}$/gm)].map(([hash]) => hash);
}

export async function* seedMoves(
  clone: string,
  { gitDir }: BorrowedClone,
  range: { commits: number; skip: number },
): AsyncGenerator<SeededMove> {
  for (const head of await listMoves(clone, range)) {
    try {
      const base = (await git(gitDir, ['rev-parse', `${head}^1`])).trim();
      const found = await findFollower(gitDir, base, head);
      if (found) yield { base, head, ...found, seeded: await putBack(gitDir, base, head, found.path) };
    } catch (error) {
      // A clone can lack objects.
      if (!(error instanceof GitFailure)) throw error;
    }
  }
}

async function findFollower(gitDir: string, base: string, head: string) {
  const status = await git(gitDir, ['diff', '--name-status', '-M', base, head, '--']);
  const rows = status.split('\n').map((row) => row.split('\t'));
  const moves = rows.flatMap(([kind, from, to]) => (kind?.startsWith('R') ? [{ from: from!, to: to! }] : []));
  const edited = new Set(
    rows.flatMap(([kind, path]) => (kind === 'M' && !NOT_READ.test(path!) ? [path!] : [])),
  );
  if (moves.length === 0 || edited.size === 0) return undefined;
  const difference = await git(gitDir, [
    'diff',
    '--no-color',
    '--no-ext-diff',
    '-U0',
    '-M',
    base,
    head,
    '--',
  ]);
  for (const part of difference.split(/^diff --git /m).slice(1)) {
    const path = /^\+\+\+ b\/(.*)$/m.exec(part)?.[1];
    if (path === undefined || !edited.has(path)) continue;
    const languages = LANGUAGES.filter(({ endings }) => endings.test(path));
    const lines = part.split('\n').filter((line) => /^[-+](?![-+])/.test(line) && line.trim().length > 1);
    if (lines.length > MAX_CHANGED_LINES) continue;
    for (const { imported, line: pattern } of languages) {
      if (!lines.every((line) => pattern.test(line.slice(1)) || NAME_IN_LIST.test(line.slice(1)))) continue;
      const added = lines.filter((line) => line.startsWith('+')).join('\n');
      for (const { from, to } of moves) {
        if (!imported.test(from) || withoutEnding(from) === withoutEnding(to)) continue;
        if (from.endsWith('.go') && folderOf(from) === folderOf(to)) continue;
        const line = lines.find(
          (each) =>
            each.startsWith('-') && pattern.test(each.slice(1)) && mayName(each, from) && mayName(added, to),
        );
        if (line) return { from, to, path, line: line.slice(1).trim() };
      }
    }
  }
  return undefined;
}

/** The name of the file, or that of its folder where imports name folders. */
function mayName(text: string, path: string): boolean {
  const [folder, name] = withoutEnding(path).split('/').slice(-2);
  const isFolder = /\.(go|cs)$/.test(path) || /^(index|__init__|mod)$/.test(name ?? '');
  const word = isFolder || name === undefined ? folder : name;
  // A script names the file at the end of a module.
  const end = isScript(path) ? '(?:\\/index)?(?:\\.\\w+)*["\'`]' : '(?!\\w)';
  return new RegExp(`(?<!\\w)${RegExp.escape((word ?? '').replace(/^_/, ''))}${end}`).test(text);
}

function isScript(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|less|json|svg)$/.test(path);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function withoutEnding(path: string): string {
  return path.replace(/(?<=[^/])\.\w+$/, '');
}

async function git(gitDir: string, args: string[]): Promise<string> {
  return (await runGit(args, { gitDir })).stdout.toString();
}
