/** Django and Alembic migrations with two heads: the tool refuses to run any until someone puts them in order. */
import type { Check, Found } from '../../check.ts';
import { addedLines, type Change, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const IN_FOLDER = /(^|\/)(migrations|versions)\/[^/]+\.py$/;
const REVISION = /^revision(?:\s*:[^=\n]{1,40})?\s*=\s*['"]([^'"\n]{1,100})['"]/m;
const DOWN_REVISION = /^down_revision(?:\s*:[^=\n]{1,60})?\s*=\s*(\([^)]{0,1000}\)|[^\n]{1,200})/m;
/** Orderings that can't be read from one folder. */
const OTHER_ORDER =
  /^(?:branch_labels|depends_on)\b[^=\n]{0,60}=\s*(?!None\b)\S|^\s+(?:replaces|run_before)\s*=/m;
const DEPENDENCIES = /^\s+dependencies\s*(?::[^=\n]{1,60})?=\s*\[([^\]]{0,4000})\]/m;
const DEPENDENCY = /\(\s*['"][\w.]{1,100}['"]\s*,\s*['"](\w{1,200})['"]\s*,?\s*\)/g;
/** A folder with more is not looked at. */
const MAX_MIGRATIONS = 1000;

interface Migration {
  path: string;
  name: string;
  parents: string[];
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
    if (migration) migrations.push(migration);
  }
  return migrations;
}

function readMigration(path: string, text: string): Migration | undefined {
  const revision = REVISION.exec(text)?.[1];
  if (revision !== undefined) {
    const down = DOWN_REVISION.exec(text)?.[1] ?? '';
    const parents = [...down.matchAll(/['"]([^'"\n]{1,100})['"]/g)].map(([, name]) => name!);
    return { path, name: revision, parents, tool: 'alembic' };
  }
  const dependencies = DEPENDENCIES.exec(text)?.[1];
  if (dependencies === undefined || !/\bmigrations\.Migration\b/.test(text)) return undefined;
  const name = path.slice(folderOf(path).length, -'.py'.length);
  // Migrations of another app with the same name count too: this can hide a finding, but never cause one.
  const parents = [...dependencies.matchAll(DEPENDENCY)].map(([, parent]) => parent!);
  return { path, name, parents, tool: 'django' };
}

function lastOf(migrations: Migration[]): Migration[] {
  const followed = new Set(migrations.flatMap(({ parents }) => parents));
  return migrations.filter(({ name }) => !followed.has(name));
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
