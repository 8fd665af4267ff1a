/**
 * Real commits that removed a field, an option, a setting, a variable or a name of a route together with its uses, with one file put back,
 * and real commits that added a migration, with its number or its parent changed. Chosen by patterns of lines and by `git grep`, not by
 * what the checks read.
 */
import { GitFailure } from '../src/engines/git/index.ts';
import { type BorrowedClone, filesWith, git, putBack, replaceFile, type SeededBreak } from './seed-breaks.ts';

interface Kind {
  /** The checks of which one must find it. */
  checks: string[];
  defines: { files: RegExp; pattern: RegExp }[];
  /** Files that are put back. */
  usedIn: RegExp;
  use(word: string): RegExp;
  spellings(name: string): string[];
}

const NOT_CODE =
  /(^|\/)(tests?|__tests__|spec|e2e|vendor|node_modules|mocks?|testdata|docs?|migrations|migrate|locales?|lang)\/|[._](test|spec)\.|_test\.|_spec\.|\.pb\.|_pb2|generated|(^|\/)(test_|conftest|CHANGELOG)|Test\.java$|\.(md|lock|snap|txt)$/i;
const CODE = /\.(py|go|rs|rb|java|kt|php|[cm]?[jt]sx?|vue|svelte|cs|html?|jinja2?|erb|tpl|proto|graphqls?)$/;
const DEPLOYMENT =
  /(^|\/)(Dockerfile|Makefile|Procfile)[^/]*$|\.(ya?ml|sh|service|toml|ini|conf|env|properties)$|(^|\/)(package\.json|\.env[^/]*)$/;
const MULTIPLE = '([A-Za-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+)';
const MAX_NAMES_OF_COMMIT = 30;

const KINDS: Record<string, Kind> = {
  fields: {
    checks: ['removed_field', 'removed_member'],
    defines: [
      { files: /\.go$/, pattern: new RegExp(`json:"${MULTIPLE}`) },
      {
        files: /\.proto$/,
        pattern: new RegExp(`^\\s*(?:repeated |optional )?[\\w.<>, ]+ ${MULTIPLE} = \\d+`),
      },
      { files: /\.graphqls?$/, pattern: new RegExp(`^\\s+${MULTIPLE}(?:\\(.*\\))?:`) },
      {
        files: /\.py$/,
        pattern: new RegExp(
          `^    ${MULTIPLE}(?::\\s*\\w.*|\\s*=\\s*(?:\\w+\\.)?\\w*(?:Field|ForeignKey)\\(.*)$`,
        ),
      },
      { files: /\.ts$/, pattern: new RegExp(`^  (?:readonly )?${MULTIPLE}\\??: [\\w\\[\\]<>| ]+;$`) },
      { files: /\.java$/, pattern: new RegExp(`^\\s+private (?:final )?[\\w<>]+ ${MULTIPLE};`) },
    ],
    usedIn: CODE,
    use: (word) => new RegExp(`(?:\\.|->|\\{\\s*|[gs]et)${word}\\b`, 'i'),
    spellings: spelled,
  },
  options: {
    checks: ['removed_option'],
    defines: [
      { files: /\.(py|[jt]s|rb|rs|java)$/, pattern: /["'](?:-\w, ?)?--([a-z][a-z0-9]+(?:-[a-z0-9]+)*)\b/ },
      {
        files: /\.go$/,
        pattern:
          /\w\.\w*(?:String|Bool|Int|Duration|Var)\w*\((?:&[\w.]+, )?"([a-z][a-z0-9]+(?:-[a-z0-9]+)*)"/,
      },
    ],
    usedIn: DEPLOYMENT,
    use: (word) => new RegExp(`--?${word}(?![\\w-])`),
    spellings: (name) => [name, name.replaceAll('-', '_')],
  },
  settings: {
    checks: ['unread_setting', 'unread_environment_variable'],
    defines: [
      {
        files: /\.(go|py|rb|java|kt|php|[jt]sx?|rs)$/,
        pattern:
          /["'`](?:[\w-]+\.)*([A-Za-z][a-z0-9]*(?:[_-][A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)["'`]/,
      },
      { files: /\.go$/, pattern: /(?:yaml|toml|mapstructure|koanf):"([\w-]{5,})/ },
      { files: /\.[jt]sx?$/, pattern: /process\.env\.(\w+_\w+)/ },
      { files: /templates\/.*\.(ya?ml|tpl)$/, pattern: /\.Values\.(?:\w+\.)*(\w{5,})/ },
    ],
    usedIn:
      /\.(ya?ml|toml|ini|conf|properties|json)$|(^|\/)config\/[\w/-]+\.php$|(^|\/)(Dockerfile[^/]*|\.env[^/]*)$/,
    use: (word) => new RegExp(`^\\s*(?:- |ENV )?["']?(?:[\\w-]+\\.)*${word}["']?\\s*(?::|=)`, 'm'),
    spellings: (name) => [name],
  },
  'route-names': {
    checks: ['removed_route_name'],
    defines: [
      { files: /\.py$/, pattern: /\bname\s*=\s*["']([\w-]{3,})["']/ },
      { files: /routes\/.*\.php$/, pattern: /->name\(["']([\w.-]+)["']\)/ },
    ],
    usedIn: /\.(py|html?|txt|jinja2?|php|vue|js)$/,
    use: (word) =>
      new RegExp(`(?:url|reverse|reverse_lazy|redirect|route)\\b[( ]*["'](?:[\\w-]+:)?${word}["']`),
    spellings: (name) => [name],
  },
};

export const CONTRACT_KINDS = [...Object.keys(KINDS), 'migrations'];

export interface SeededContractBreak extends SeededBreak {
  checks: string[];
}

export async function* seedContractBreaks(
  clone: string,
  { gitDir }: BorrowedClone,
  { commits, kind, skip }: { commits: number; skip: number; kind: string },
): AsyncGenerator<SeededContractBreak> {
  const range = ['--first-parent', '--min-parents=1', `--max-count=${commits}`, `--skip=${skip}`, 'HEAD'];
  const heads = (await git(clone, ['rev-list', ...range])).trim().split('\n');
  for (const head of heads) {
    try {
      const base = (await git(clone, ['rev-parse', `${head}^1`])).trim();
      if (kind === 'migrations') yield* breakMigrations(gitDir, { base, head });
      else {
        const found = await findBreak(gitDir, { base, head }, KINDS[kind]!);
        if (found)
          yield {
            base,
            head,
            ...found,
            checks: KINDS[kind]!.checks,
            seeded: await putBack(gitDir, base, head, found.path),
          };
      }
    } catch (error) {
      // A clone can lack objects.
      if (!(error instanceof GitFailure)) throw error;
    }
  }
}

async function findBreak(gitDir: string, { base, head }: { base: string; head: string }, kind: Kind) {
  const changed = (await git(gitDir, ['diff', '--name-only', '--diff-filter=M', base, head, '--']))
    .trim()
    .split('\n');
  const candidates = changed.filter((path) => kind.usedIn.test(path) && !NOT_CODE.test(path));
  if (candidates.length === 0) return undefined;
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
  for (const [name, definedIn] of [...removedNames(difference, kind)].slice(0, MAX_NAMES_OF_COMMIT)) {
    const words = kind.spellings(name);
    let isLeft = false;
    for (const word of words)
      isLeft ||= (await filesWith(gitDir, word, head)).some(
        (path) => !NOT_CODE.test(path) && (CODE.test(path) || candidates.includes(path)),
      );
    if (isLeft) continue;
    for (const path of candidates) {
      if (path === definedIn) continue;
      const text = await git(gitDir, ['show', `${base}:${path}`]);
      if (
        words.some((word) =>
          text.split('\n').some((line) => !/^\s*(\/\/|#|\*)/.test(line) && kind.use(word).test(line)),
        )
      )
        return { name, path, definedIn };
    }
  }
  return undefined;
}

function removedNames(difference: string, { defines }: Kind): Map<string, string> {
  const names = new Map<string, string>();
  let path = '';
  for (const line of difference.split('\n')) {
    if (line.startsWith('--- a/')) path = line.slice(6);
    if (!/^-(?!--)/.test(line) || NOT_CODE.test(path)) continue;
    for (const { files, pattern } of defines) {
      const name = files.test(path) ? pattern.exec(line.slice(1))?.[1] : undefined;
      if (name && name.length > 3) names.set(name, path);
    }
  }
  return names;
}

function spelled(name: string): string[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return [
    ...new Set([
      name,
      words.join('_'),
      pascal.charAt(0).toLowerCase() + pascal.slice(1),
      pascal,
      `get${pascal}`,
      `Get${pascal}`,
    ]),
  ];
}

/** Each new migration once with the number of another one, once below it, once with another parent, or without its schema. */
async function* breakMigrations(
  gitDir: string,
  { base, head }: { base: string; head: string },
): AsyncGenerator<SeededContractBreak> {
  const added = (
    await git(gitDir, ['diff', '--name-only', '--no-renames', '--diff-filter=A', base, head, '--'])
  )
    .trim()
    .split('\n');
  const path = added.find(
    (each) =>
      /migrat/i.test(each) &&
      /\/V?\d+[^/]*\.(py|sql|rb|java|go)$/.test(each) &&
      !/\.down\.|(^|\/)tests?\//.test(each),
  );
  if (path === undefined) return;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const after = (await git(gitDir, ['ls-tree', '--name-only', head, folder])).trim().split('\n');
  const own = path.slice(folder.length);
  const text = await git(gitDir, ['show', `${head}:${path}`]);
  const seed = async (name: string, to: { path: string; text: string }, checks: string[]) => ({
    ...{ base, head, name, path: to.path, definedIn: folder, checks },
    seeded: await replaceFile(gitDir, { base, head }, path, to),
  });
  if (path.endsWith('.py')) {
    const app = path.split('/').at(-3);
    const parent = new RegExp(`\\(["']${app}["'],\\s*["'](\\w+)["']\\)`).exec(text);
    const grand = parent && (await git(gitDir, ['show', `${base}:${folder}${parent[1]}.py`]));
    const older = grand && new RegExp(`\\(["']${app}["'],\\s*["'](\\w+)["']\\)`).exec(grand)?.[1];
    if (parent && older)
      yield await seed('heads', { path, text: text.replace(parent[1]!, older) }, ['two_migration_heads']);
    return;
  }
  const numberOf = (name: string) => /^V?(\d+)/.exec(name)?.[1];
  const others = after
    .filter((each) => each !== path)
    .map((each) => each.slice(folder.length))
    .filter(
      (each) =>
        numberOf(each) !== undefined &&
        each.split('.').slice(1).join('.') === own.split('.').slice(1).join('.'),
    );
  const newest = others.sort((one, other) => Number(numberOf(one)) - Number(numberOf(other))).at(-1);
  if (newest === undefined || after.includes(`${folder}${own.replace(/\d+/, numberOf(newest)!)}`)) return;
  const renamed = (number: string) => `${folder}${own.replace(/\d+/, number)}`;
  yield await seed('number', { path: renamed(numberOf(newest)!), text }, ['same_number_migration']);
  const schema = `${folder.replace(/migrate\/$/, '')}schema.rb`;
  const changed = (await git(gitDir, ['diff', '--name-only', base, head, '--', schema])).trim();
  if (path.endsWith('.rb') && changed !== '')
    yield {
      ...{ base, head, name: 'schema', path: schema, definedIn: folder, checks: ['schema_behind_migration'] },
      seeded: await putBack(gitDir, base, head, schema),
    };
  const late = String(BigInt(numberOf(newest)!) - 1n).padStart(numberOf(newest)!.length, '0');
  if (!path.endsWith('.rb') && !others.some((each) => numberOf(each) === late))
    yield await seed('late', { path: renamed(late), text }, ['late_migration']);
}
