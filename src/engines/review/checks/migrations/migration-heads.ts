/** Django and Alembic migrations with two heads: the tool refuses to run any until someone puts them in order. */
import type { Check, Found } from '../../check.ts';
import { addedLines, type Change, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const IN_FOLDER = /(^|\/)(migrations|versions)\/[^/]+\.py$/;
const REVISION = /^revision(?:\s*:[^=\n]{1,40})?\s*=\s*['"]([^'"\n]{1,100})['"]/m;
const DOWN_REVISION = /^down_revision(?:\s*:[^=\n]{1,60})?\s*=\s*(\([^)]{0,1000}\)|[^\n]{1,200})/m;
/** Orderings that can't be read from one folder. */
const OTHER_ORDER = /^(?:branch_labels|depends_on)\b[^=\n]{0,60}=\s*(?!None\b)\S/m;
const LISTS =
  /^\s+(dependencies|replaces|run_before)\s*(?::[^=\n]{1,60})?=\s*\[([^\]]{0,40000})\]\s*(?:#.*)?$/gm;
const NAMED_LISTS = /^\s+(?:dependencies|replaces|run_before)\s*[:=+]/gm;
/** The app can be a constant. */
const DEPENDENCY = /\(\s*([\w.'"]{1,100})\s*,\s*['"](\w{1,200})['"]\s*,?\s*\)/g;
const ON_SETTING = /\b(?:migrations\.)?swappable_dependency\([^()]{0,200}\)/g;
/** A folder with more is not looked at. */
const MAX_MIGRATIONS = 1000;

interface Migration {
  path: string;
  name: string;
  parents: string[];
  /** Migrations in the same folder that it was squashed from. */
  replaces: string[];
  /** Whether it says itself what follows it. */
  runsBefore: boolean;
  tool: keyof typeof TOOLS;
}

const TOOLS = {
  alembic:
    'alembic upgrade head` stops with "Multiple head revisions are present". Let one follow the other, or join them with `alembic merge',
  django:
    'manage.py migrate` stops with "Conflicting migrations detected". Let one depend on the other, or join them with `manage.py makemigrations --merge',
};

export const migrationHeads: Check = {
  name: 'two_migration_heads',
  reviewer: 'breaking_changes',
  looksFor: 'Django or Alembic migrations with two heads',
  async run(change, code) {
    const found: Found[] = [];
    for (const [folder, files] of Map.groupBy(addedRevisions(change), ({ path }) => folderOf(path)))
      found.push(...(await lookAt(change, code, folder, files)));
    return found;
  },
};

/** Files that may be migrations of these tools. */
export function addedRevisions(change: Change): ReviewedFile[] {
  return change.files.filter(
    ({ change: how, fileClass, path }) => how === 'added' && fileClass === 'code' && IN_FOLDER.test(path),
  );
}

async function lookAt(
  change: Change,
  code: ReviewCode,
  folder: string,
  added: ReviewedFile[],
): Promise<Found[]> {
  const after = await readFolder(code, 'head', folder);
  if (!after) return [];
  const heads = lastOf(after);
  if (heads.length < 2) return [];
  // A conflict that existed before isn't caused by this change.
  const before = await readFolder(code, 'base', folder);
  if (!before || lastOf(before).length > 1) return [];
  return added.flatMap((file): Found[] => {
    const own = heads.find(({ path }) => path === file.path);
    const other = heads.find(({ path }) => path !== file.path);
    const lines = addedLines(file);
    const line =
      lines.find(({ text }) => /down_revision\b.*=|\(\s*['"][\w.]+['"]\s*,\s*['"]\w+['"]/.test(text)) ??
      lines.find(({ text }) => text.trim() !== '');
    if (!own || !other || !line) return [];
    return [
      {
        claim: 'duplicate',
        subject: folder,
        title: `${own.name} and ${other.name} are both the last migration`,
        scenario: `Nothing in ${folder} follows ${file.path} or ${other.path}: \`${TOOLS[own.tool]}\`.`,
        ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
        command: `git grep -nE -e '^down_revision|^ +dependencies|^ +\\(' ${change.head.slice(0, 12)} -- ${shellWord(folder)}`,
      },
    ];
  });
}

/** Undefined where the order can't be told from these files alone. */
async function readFolder(
  code: ReviewCode,
  side: 'base' | 'head',
  folder: string,
): Promise<Migration[] | undefined> {
  const paths = (await code.listFiles(side)).filter(
    (path) => path.startsWith(folder) && folderOf(path) === folder && path.endsWith('.py'),
  );
  if (paths.length > MAX_MIGRATIONS) return undefined;
  const migrations: Migration[] = [];
  for (const path of paths) {
    const text = (await code.read(side, path)) ?? '';
    if (OTHER_ORDER.test(text)) return undefined;
    const migration = readMigration(path, text);
    if (migration === 'unknown') return undefined;
    if (migration) migrations.push(migration);
  }
  return migrations;
}

function readMigration(path: string, text: string): Migration | 'unknown' | undefined {
  const revision = REVISION.exec(text)?.[1];
  if (revision !== undefined) {
    const down = DOWN_REVISION.exec(text)?.[1] ?? '';
    const parents = [...down.matchAll(/['"]([^'"\n]{1,100})['"]/g)].map(([, name]) => name!);
    return { path, name: revision, parents, replaces: [], runsBefore: false, tool: 'alembic' };
  }
  if (!/\bmigrations\.Migration\b/.test(text)) return undefined;
  const lists = [...text.matchAll(LISTS)].map(([, list, entries]) => ({ list, ...readEntries(entries!) }));
  if (lists.length !== [...text.matchAll(NAMED_LISTS)].length || lists.some(({ isWhole }) => !isWhole))
    return 'unknown';
  const entriesOf = (name: string) =>
    lists.filter(({ list }) => list === name).flatMap(({ entries }) => entries);
  const replaced = entriesOf('replaces');
  // One that replaces those of several apps belongs to more folders than this one.
  if (new Set(replaced.map(({ app }) => app)).size > 1) return 'unknown';
  return {
    ...{ path, name: path.slice(folderOf(path).length, -'.py'.length), tool: 'django' },
    // Migrations of another app with the same name count too: this can hide a finding, but never cause one.
    parents: entriesOf('dependencies').map((each) => each.name),
    replaces: replaced.map((each) => each.name),
    runsBefore: entriesOf('run_before').length > 0,
  };
}

/** `("app", "0001_name")`; not whole if there is anything else, which could name others. */
function readEntries(text: string): { entries: { app: string; name: string }[]; isWhole: boolean } {
  const plain = text.replaceAll(/#.*$/gm, '').replaceAll(ON_SETTING, '');
  return {
    entries: [...plain.matchAll(DEPENDENCY)].map(([, app, name]) => ({ app: app!, name: name! })),
    isWhole: /^[\s,]*$/.test(plain.replaceAll(DEPENDENCY, '')),
  };
}

/** As Django reads them where all or none of the replaced migrations ran: the squashed one takes their place. */
function lastOf(migrations: Migration[]): Migration[] {
  const replacedBy = new Map(
    migrations.flatMap(({ name, replaces }) => replaces.map((each) => [each, name] as const)),
  );
  const left = migrations.filter(({ name }) => !replacedBy.has(name));
  const followed = new Set<string>();
  for (const { name, parents, runsBefore } of migrations) {
    const self = placeOf(replacedBy, name);
    if (runsBefore) followed.add(self);
    for (const parent of parents) {
      const at = placeOf(replacedBy, parent);
      if (at !== self) followed.add(at);
    }
  }
  return left.filter(({ name }) => !followed.has(name));
}

/** A squashed migration can be squashed again. */
function placeOf(replacedBy: ReadonlyMap<string, string>, name: string): string {
  const seen = new Set<string>();
  let at = name;
  for (let next = replacedBy.get(at); next !== undefined && !seen.has(next); next = replacedBy.get(at)) {
    seen.add(next);
    at = next;
  }
  return at;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
