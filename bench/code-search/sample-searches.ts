/** Searches that nobody chose by hand: names from files that are spread evenly over repositories. */
import { git } from './corpus.ts';

export interface Searches {
  literals: string[];
  regularExpressions: string[];
  symbols: string[];
}

const EACH = 20;
const CODE = /\.(?:go|tsx?|jsx?|py|java|rb|rs|c|h|cc|cpp|cs|php|kt|scala|ex)$/;
const MAX_FILE_BYTES = 200_000;
const DEFINITION =
  /^\s*(?:export |public |private |static |pub |async )*(?:func|function|def|class|interface|struct|trait|fn) ([A-Za-z_]\w{5,})/m;

/** The longest name of a file is one that few others have. */
const longestName = (text: string) =>
  (text.match(/[A-Za-z_]\w{7,39}/g) ?? []).reduce(
    (longest, name) => (name.length > longest.length ? name : longest),
    '',
  );

/** `internalListOptions` becomes `internal\w+tions`. */
const withAGap = (name: string) => `${name.slice(0, 8)}\\w+${name.slice(-5)}`;

export async function sampleSearches(gitDirs: string[]): Promise<Searches> {
  const found: Searches = { literals: [], regularExpressions: [], symbols: [] };
  const perRepository = Math.ceil(EACH / gitDirs.length);
  for (const gitDir of gitDirs) {
    const paths = (await git(gitDir, 'ls-tree', '-r', '-l', 'HEAD')).split('\n').flatMap((row) => {
      const [, size, path] = /^100\d+ blob \w+ +(\d+)\t([^"]*)$/.exec(row) ?? [];
      return path !== undefined && CODE.test(path) && Number(size) <= MAX_FILE_BYTES ? [path] : [];
    });
    const wanted = { literals: perRepository, regularExpressions: perRepository, symbols: perRepository };
    const step = Math.max(1, Math.floor(paths.length / (8 * perRepository)));
    for (let at = 0; at < paths.length; at += step) {
      const text = await git(gitDir, 'cat-file', 'blob', `HEAD:${paths[at]}`);
      const defined = DEFINITION.exec(text)?.[1];
      const name = longestName(text);
      const add = (kind: keyof Searches, what: string | undefined) => {
        if (!what || wanted[kind] === 0 || found[kind].includes(what)) return false;
        wanted[kind] -= 1;
        return found[kind].push(what) > 0;
      };
      if (!add('symbols', defined) && name.length >= 14)
        add('literals', name) || add('regularExpressions', withAGap(name));
      if (Object.values(wanted).every((left) => left === 0)) break;
    }
  }
  for (const kind of ['literals', 'regularExpressions', 'symbols'] as const)
    found[kind] = found[kind].slice(0, EACH);
  return found;
}
