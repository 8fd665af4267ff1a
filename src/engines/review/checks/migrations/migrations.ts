/** Migrations that endanger data: edited after they ran, or dropping what code still uses. */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { addedLines, type Change, type Line, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { schemaStatements } from './schema-statements.ts';

const FOLDER = /(^|\/)(migrations?|migrate|db\/migrate|alembic\/versions|changelogs?)\//i;
/** A number, a timestamp or `V3__`, then a name. */
const NUMBERED = /^(?:V)?(\d{1,20}(?:[._]\d+)*)(?:__|[_-])(.+)\.(sql|py|rb|php|[cm]?[jt]s|go|xml)$/i;
const COMMENT = /^\s*(--|#|\/\/|\/\*|\*|"""|''')|^\s*$/;
const DROP_TABLE =
  /\bdrop\s+table\s+(?:if\s+exists\s+)?(?:[`"[]?\w+[`"\]]?\.)?[`"[]?(\w+)|\bdrop_table\s*\(?\s*[:'"](\w+)|\bdropTable(?:IfExists)?\(\s*['"](\w+)|\bSchema::drop(?:IfExists)?\(\s*['"](\w+)/i;

/** The table that the statements after it are about. */
const CHANGED_TABLE =
  /\b(?:create|alter)[ _]?table(?:\s+(?:if\s+(?:not\s+)?exists|only))?[\s("'`:[]+(?:\w+["`\]]?\.["`[]?)?(\w+)|\bSchema::(?:create|table)\(\s*['"](\w+)|^\s*(?:add|remove|change|rename)_\w+[\s(]+[:'"](\w+)/gim;

/** Files that only undo a migration. */
const WAY_BACK = /\.down\.|rollback/i;

/** Shorter names are found everywhere. */
const MIN_TABLE_CHARACTERS = 3;
/** git compares every line with each of them. */
const MAX_DROPPED = 50;
/** Between `create table` and the end of the table's name. */
const MAX_NAME_DISTANCE = 300;
const MAX_SHOWN_EDITS = 5;

interface Migration {
  folder: string;
  number: string;
  /** Up to the first dot: `.up`, `.down` and the names of databases are parts of one migration. */
  name: string;
}

export function migrationOf(path: string): Migration | undefined {
  const end = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, end);
  if (!FOLDER.test(folder)) return undefined;
  const match = NUMBERED.exec(path.slice(end));
  return match ? { folder, number: match[1]!, name: match[2]!.split('.')[0]! } : undefined;
}

const isMigration = ({ fileClass, path }: ReviewedFile) =>
  fileClass !== 'test' &&
  fileClass !== 'vendored' &&
  fileClass !== 'generated' &&
  migrationOf(path) !== undefined;

/** And views, in lower case; `create table if not exists schema.name`, `create_table :name` and `createTable('name'`. */
function createdTables(text: string): Set<string> {
  const tables = new Set<string>();
  for (const { 0: match, index } of text.matchAll(/create[ _]?(?:table|(?:materialized )?view)/gi)) {
    const rest = text.slice(index + match.length, index + match.length + MAX_NAME_DISTANCE).toLowerCase();
    const words = [...rest.matchAll(/\w+/g)].filter(
      ({ 0: word }, at) => at > 2 || !/^(if|not|exists)$/.test(word),
    );
    const [first, second] = words;
    if (!first) continue;
    const isSchema = /^["`\]]?\./.test(rest.slice(first.index + first[0].length));
    tables.add(isSchema && second ? second[0] : first[0]);
  }
  return tables;
}

/** Another table replaces it, as in databases that can't change a column. */
function isRenamedTo(lines: Line[], table: string): boolean {
  const renamed = new RegExp(`\\brename\\b.*\\W${table}\\b`, 'i');
  return lines.some(({ text }) => renamed.test(text));
}

export const editedMigrations: Check = {
  name: 'edited_migration',
  reviewer: 'breaking_changes',
  looksFor: 'migrations that were on the base branch and are edited',
  // Mostly the same schema in another way, for databases where the migration failed.
  isOffByDefault: true,
  async run(change, code) {
    const edited: { path: string; line: Line }[] = [];
    for (const file of change.files) {
      if (file.change !== 'modified' || !isMigration(file) || WAY_BACK.test(file.path)) continue;
      const line = await editedLine(file, code);
      if (line && !(await isCaughtUp(change, file, line, code))) edited.push({ path: file.path, line });
    }
    const [first, ...others] = edited;
    if (!first) return [];
    const { line, path } = first;
    const more = others.length === 0 ? '' : ` The same applies to ${others.length} more.`;
    return [
      {
        claim: 'contract',
        subject: path,
        title: 'Migration edited after it was merged',
        scenario: `Databases that already ran ${path} won’t run it again, so they keep the old schema while new ones get the edited one. Add a migration instead.${more}`,
        file: path,
        side: 'head',
        line: line.number,
        quote: line.text,
        evidence: others.slice(0, MAX_SHOWN_EDITS).map((each) => ({
          ...{ side: 'head' as const, path: each.path, line: each.line.number, quote: each.line.text.trim() },
        })),
        command: `git log --oneline ${change.base.slice(0, 12)} -- ${shellWord(path)}`,
      },
    ];
  },
};

/** The first added line that changes the schema; formatting, guards and comments don't. */
async function editedLine(file: ReviewedFile, code: ReviewCode): Promise<Line | undefined> {
  const [before, after] = await Promise.all([code.read('base', file.path), code.read('head', file.path)]);
  if (before === null || after === null) return undefined;
  const kept = schemaStatements(file.path, before);
  const now = schemaStatements(file.path, after);
  const isSame = kept.length === now.length && kept.every((each, index) => each === now[index]);
  if (isSame) return undefined;
  const old = new Set(kept);
  const lines = addedLines(file).filter(({ text }) => !COMMENT.test(text));
  return (
    lines.find(({ text }) => schemaStatements(file.path, text).some((each) => !old.has(each))) ?? lines[0]
  );
}

/** Whether the change also adds a migration of the same table, which brings databases up to date that ran the edited one. */
async function isCaughtUp(
  change: Change,
  { path }: ReviewedFile,
  { number }: Line,
  code: ReviewCode,
): Promise<boolean> {
  const above = (await code.read('head', path))?.split('\n').slice(0, number).join('\n') ?? '';
  const table = [...above.matchAll(CHANGED_TABLE)].at(-1)?.slice(1).find(Boolean);
  if (table === undefined) return false;
  const named = new RegExp(`\\b${table}\\b`, 'i');
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return change.files.some(
    (file) =>
      file.change === 'added' &&
      file.path.startsWith(folder) &&
      isMigration(file) &&
      !WAY_BACK.test(file.path) &&
      addedLines(file).some(({ text }) => named.test(text)),
  );
}

/**
 * Only migrations whose number matters: Django orders its migrations by their dependencies, and Laravel knows them by their
 * whole names.
 */
export function addedMigrations(change: Change): ReviewedFile[] {
  return change.files.filter(
    (file) =>
      file.change === 'added' &&
      isMigration(file) &&
      !/\.py$|(^|\/)\d{4}_\d\d_\d\d_\d{6}_[^/]*\.php$/.test(file.path),
  );
}

export const droppedTables: Check = {
  name: 'dropped_table',
  reviewer: 'breaking_changes',
  looksFor: 'tables that are dropped while code uses them',
  // Mostly the way back of a migration, or something else takes the name.
  isOffByDefault: true,
  async run(change, code) {
    const dropped: { file: ReviewedFile; line: Line; table: string }[] = [];
    for (const file of change.files) {
      if (!isMigration(file) || WAY_BACK.test(file.path)) continue;
      const lines = addedLines(file);
      const tables = lines.flatMap((line) => {
        const table = DROP_TABLE.exec(line.text)?.slice(1).find(Boolean);
        return table === undefined || table.length < MIN_TABLE_CHARACTERS ? [] : [{ file, line, table }];
      });
      if (tables.length === 0) continue;
      // The way back of a migration drops what it creates, which can be older than the change.
      const created = createdTables((await code.read('head', file.path)) ?? '');
      dropped.push(
        ...tables.filter(({ table }) => !created.has(table.toLowerCase()) && !isRenamedTo(lines, table)),
      );
    }
    dropped.splice(MAX_DROPPED);
    if (dropped.length === 0) return [];
    const { lines } = await code.find('head', [...new Set(dropped.map(({ table }) => table))], {
      wholeWords: true,
    });
    return dropped.flatMap(({ file, line, table }): Found[] => {
      const statement = new RegExp(
        `\\b(from|join|into|update|table)\\s+[\`"[]?(\\w+[\`"\\]]?\\.)?[\`"[]?${table}\\b`,
        'i',
      );
      const use = lines.find(
        (each) =>
          fileClassOf(each.path) === 'code' &&
          !FOLDER.test(each.path) &&
          statement.test(each.text) &&
          !DROP_TABLE.test(each.text),
      );
      if (!use) return [];
      return [
        {
          claim: 'removed_but_used',
          subject: table,
          title: `Table ${table} is dropped but still used`,
          scenario: `After this migration, the query in ${use.path}:${use.line} fails: table ${table} does not exist.`,
          file: file.path,
          side: 'head',
          line: line.number,
          quote: line.text,
          evidence: [{ side: 'head', path: use.path, line: use.line, quote: use.text.trim() }],
          command: `git grep -nwi ${table} ${change.head.slice(0, 12)}`,
        },
      ];
    });
  },
};
