/** Lock files that don't match their manifest: installs fail, or install other versions. */
import type { Check, Found } from '../../check.ts';
import { addedLines, type Line, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { type Declared, findLocks, type LockFile, parseJson, readDependencies } from './dependencies.ts';

/** Not a range of versions, such as `workspace:*` and `patch:…`: lock files write these in their own way. */
const NO_RANGE = /^[\w+-]+:|\/|^$/;
const MAX_LOOKED_UP = 300;
/** Dependencies that were there before, which tell whether the lock file was up to date. */
const MAX_UNCHANGED = 100;
/** Manifests with the same name. */
const MAX_MEMBERS = 5;

export const outdatedLockFiles: Check = {
  name: 'lock_file_outdated',
  reviewer: 'dependency_risk',
  looksFor: 'dependencies whose version the lock file does not have',
  async run(change, code) {
    const found: Found[] = [];
    for (const file of change.files) {
      if (file.change === 'deleted' || file.fileClass !== 'data') continue;
      const name = file.path.slice(file.path.lastIndexOf('/') + 1);
      const missing =
        name === 'package.json'
          ? await missingInNpmLock(file, code)
          : name === 'go.mod'
            ? await missingInGoSum(file, code)
            : undefined;
      if (!missing) continue;
      const { dependency, line, lock, range, scenario } = missing;
      found.push({
        ...{
          claim: 'dependency',
          subject: dependency,
          title: `${lock} does not have ${dependency} ${range}`,
        },
        scenario,
        ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
        command: `git grep -nF -e ${shellWord(dependency)} ${change.head.slice(0, 12)} -- ${shellWord(lock)}`,
      });
    }
    return found;
  },
};

interface Missing {
  dependency: string;
  range: string;
  line: Line;
  lock: string;
  scenario: string;
}

/** The first new or changed one of a package.json. */
async function missingInNpmLock(file: ReviewedFile, code: ReviewCode): Promise<Missing | undefined> {
  const head = readDependencies(await code.read('head', file.path));
  const base = readDependencies(await code.read('base', file.oldPath ?? file.path));
  if (!head || !base) return undefined;
  const locked = [...head].filter(([, { isPeer, version }]) => !isPeer && !NO_RANGE.test(version));
  const isChanged = ([name, { version }]: [string, Declared]) => base.get(name)?.version !== version;
  const changed = locked.filter(isChanged).slice(0, MAX_LOOKED_UP);
  const unchanged = locked.filter((each) => !isChanged(each)).slice(0, MAX_UNCHANGED);
  const locks = changed.length === 0 ? [] : await findLocks(code, file.path);
  const [lock] = locks;
  if (!lock) return undefined;
  const isLocked = openLock(lock, file.path);
  const others = locks.slice(1).map((each) => openLock(each, file.path));
  const folder = lock.path.slice(0, lock.path.lastIndexOf('/') + 1);
  // An overridden package is locked as the override says.
  const overridden = `${overridesIn(await code.read('head', `${folder}package.json`))}\n${overridesOf(lock.text)}`;
  const lines = addedLines(file);
  for (const [name, { version }] of changed) {
    const line = lines.find(({ text }) => text.includes(`"${name}"`) && text.includes(`"${version}"`));
    // Another check reports those that are not in it at all.
    if (!line || !lock.text.includes(name) || overridden.includes(name) || isLocked(name, version) !== false)
      continue;
    if (others.some((isLockedThere) => isLockedThere(name, version))) continue;
    if (await isMember(code, name, version)) continue;
    // If others are missing already, or written in a way that isn't known here, this change is not the cause.
    const isMissing = ([other, declared]: [string, Declared]) =>
      isLocked(other, declared.version) === false && !overridden.includes(other);
    if (unchanged.some(isMissing)) return undefined;
    const scenario = `${lock.path} was not updated for ${name} ${version}: installs with a frozen lock file, as in CI, fail or install another version; any other install changes the file.`;
    return { dependency: name, range: version, line, lock: lock.path, scenario };
  }
  return undefined;
}

/** Whether a package of the repository has the name and a version in the range: the lock files of some tools leave these out. */
async function isMember(code: ReviewCode, name: string, range: string): Promise<boolean> {
  const { lines } = await code.find('head', [`"name": "${name}"`], { wholeWords: false });
  for (const { path } of lines
    .filter((line) => /(^|\/)package\.json$/.test(line.path))
    .slice(0, MAX_MEMBERS)) {
    const { name: own, version } = (parseJson(await code.read('head', path)) ?? {}) as Record<
      string,
      unknown
    >;
    if (own === name && typeof version === 'string' && (version === range || isInRange(version, range)))
      return true;
  }
  return false;
}

/** Undefined where it can't be told. */
function openLock(
  { path, text }: LockFile,
  manifest: string,
): (name: string, range: string) => boolean | undefined {
  const lockName = path.slice(path.lastIndexOf('/') + 1);
  if (lockName === 'yarn.lock')
    return (name, range) => text.includes(`${name}@${range}`) || text.includes(`${name}@npm:${range}`);
  if (lockName === 'pnpm-lock.yaml')
    return (name, range) => {
      const [key, value] = [name, range].map((each) => `['"]?${RegExp.escape(each)}['"]?`);
      return new RegExp(`^\\s+${key}:(?:\\s*\\n\\s+specifier:)? ${value}\\s*$`, 'm').test(text);
    };
  // The root is the empty name, members of a workspace their folder.
  const member = manifest.slice(path.length - lockName.length, -'package.json'.length).replace(/\/$/, '');
  const packages = packagesOf(text);
  const entry = packages?.[member];
  return (name, range) => {
    if (!entry) return undefined;
    if (
      ['dependencies', 'devDependencies', 'optionalDependencies'].some(
        (section) => (entry[section] as Record<string, unknown> | undefined)?.[name] === range,
      )
    )
      return true;
    // `npm ci` only compares versions: one that was there for another package does as well.
    const own = member === '' ? undefined : packages?.[`${member}/node_modules/${name}`];
    const { version } = own ?? packages?.[`node_modules/${name}`] ?? {};
    return typeof version === 'string' && isInRange(version, range) ? undefined : false;
  };
}

/** Reads one version, `^1.2.3` and `~1.2.3`; false for other ranges. */
function isInRange(version: string, range: string): boolean {
  const wanted = /^([\^~]?)(\d+)\.(\d+)\.(\d+)$/.exec(range);
  const has = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  if (!wanted || !has) return false;
  const least = wanted.slice(2).map(Number);
  const firstSet = least.findIndex((part) => part > 0);
  // As many of the numbers must be the same.
  const fixed = wanted[1] === '' || firstSet === -1 ? 3 : wanted[1] === '~' ? 2 : firstSet + 1;
  const differs = has.findIndex((part, index) => part !== least[index]);
  return differs === -1 || (differs >= fixed && has[differs]! > least[differs]!);
}

function packagesOf(text: string): Record<string, Record<string, unknown>> | undefined {
  return (parseJson(text) as { packages?: Record<string, Record<string, unknown>> } | undefined)?.packages;
}

function overridesIn(manifest: string | null): string {
  const root = parseJson(manifest) as Record<string, unknown> | undefined;
  const pnpm = root?.pnpm as Record<string, unknown> | undefined;
  return JSON.stringify([root?.overrides, root?.resolutions, pnpm?.overrides]);
}

/** The overrides in a lock file of pnpm. */
function overridesOf(lock: string): string {
  return /^overrides:\n(?: .*\n)*/m.exec(lock)?.[0] ?? '';
}

/** The first new or changed one of a go.mod. */
async function missingInGoSum(file: ReviewedFile, code: ReviewCode): Promise<Missing | undefined> {
  const lock = `${file.path.slice(0, -'go.mod'.length)}go.sum`;
  const sums = await code.read('head', lock);
  const text = await code.read('head', file.path);
  // A workspace has its own sums.
  if (sums === null || text === null || (await code.read('head', 'go.work')) !== null) return undefined;
  const added = new Map(addedLines(file).map((line) => [line.number, line] as const));
  for (const { detail, kind, line: at, name, role } of (await code.facts('head', file.path))?.facts ?? []) {
    const line = added.get(at);
    const [version = ''] = detail?.split(' ') ?? [];
    const dependency = name.replace(/^go:/, '');
    if (!line || kind !== 'package' || role !== 'uses' || !line.text.includes(`${dependency} ${version}`))
      continue;
    const isReplaced = new RegExp(
      `^\\s*(?:replace\\s+)?${RegExp.escape(dependency)}(?:\\s+v\\S+)?\\s+=>`,
      'm',
    ).test(text);
    if (isReplaced || sums.includes(`${dependency} ${version}/go.mod `)) continue;
    const scenario = `\`go build\` stops with "missing go.sum entry": ${lock} has no line for ${dependency} ${version}. \`go mod tidy\` adds it.`;
    return { dependency, range: version, line, lock, scenario };
  }
  return undefined;
}

const MANIFESTS_OF: Record<string, RegExp> = {
  'package-lock.json': /(^|\/)package\.json$/,
  'npm-shrinkwrap.json': /(^|\/)package\.json$/,
  'yarn.lock': /(^|\/)(package\.json|\.yarnrc\.yml)$/,
  'pnpm-lock.yaml': /(^|\/)(package\.json|pnpm-workspace\.yaml)$/,
  'bun.lock': /(^|\/)package\.json$/,
  'cargo.lock': /(^|\/)cargo\.toml$/i,
  'go.sum': /(^|\/)go\.(mod|work)$/,
  'poetry.lock': /(^|\/)pyproject\.toml$/,
  'uv.lock': /(^|\/)pyproject\.toml$/,
  'pdm.lock': /(^|\/)pyproject\.toml$/,
  'pipfile.lock': /(^|\/)pipfile$/i,
  'gemfile.lock': /(^|\/)(gemfile|[^/]+\.gemspec)$/i,
  'composer.lock': /(^|\/)composer\.json$/,
};

export const lockFilesAlone: Check = {
  name: 'lock_file_alone',
  reviewer: 'dependency_risk',
  looksFor: 'lock files that change without a manifest',
  // Updates of what dependencies depend on look the same.
  isOffByDefault: true,
  async run(change) {
    return change.files.flatMap((file): Found[] => {
      const end = file.path.lastIndexOf('/') + 1;
      const manifests = MANIFESTS_OF[file.path.slice(end).toLowerCase()];
      const line = addedLines(file).find(({ text }) => text.trim() !== '');
      if (file.change !== 'modified' || !manifests || !line) return [];
      const folder = file.path.slice(0, end);
      if (change.files.some(({ path }) => path.startsWith(folder) && manifests.test(path))) return [];
      return [
        {
          ...{ claim: 'dependency', subject: file.path, title: `${file.path} changes without a manifest` },
          scenario: `None of its manifests changed. Unless this is an update of indirect dependencies, installs no longer match the manifests.`,
          ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
          command: `git diff --stat ${change.base.slice(0, 12)} ${change.head.slice(0, 12)} -- ${shellWord(folder || '.')}`,
        },
      ];
    });
  },
};
