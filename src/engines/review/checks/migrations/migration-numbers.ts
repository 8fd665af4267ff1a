/** Migrations of tools that know them by their number alone: a number that is taken, one that comes too late, and a schema of Rails without it. */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { addedLines, type Change, type Line, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

interface Tool {
  /** With the number as a group. */
  file: RegExp;
  /** Tells its migrations from other files of the same name. */
  text?: RegExp;
  /** A word without which the repository doesn't use it. */
  word?: string;
  whenTaken: string;
  /** Absent where migrations run in any order. */
  late?: { consequence: string; unless: string[] };
}

const TOOLS: Tool[] = [
  {
    file: /^(\d{1,20})_[a-z0-9_]+\.rb$/,
    text: /<\s*ActiveRecord::Migration\b/,
    whenTaken: '`rails db:migrate` stops with DuplicateMigrationVersionError',
  },
  {
    file: /^V(\d{1,20}(?:[._]\d{1,20})*)__.+\.(?:sql|java|kt)$/,
    word: 'flyway',
    whenTaken: 'Flyway stops with "Found more than one migration with version"',
    late: {
      consequence: 'Flyway stops with "Detected resolved migration not applied to database"',
      unless: ['outOfOrder', 'out-of-order:', 'out-of-order=', 'OUT_OF_ORDER', 'ignoreMigrationPatterns'],
    },
  },
  {
    file: /^(\d{1,20})_.+\.(?:sql|go)$/,
    text: /^--\s*\+goose Up\b|\bgoose\.AddMigration/im,
    whenTaken: 'goose stops with "duplicate version"',
    late: {
      consequence: 'goose stops with "found missing migrations"',
      unless: ['allow-missing', 'AllowMissing', 'WithAllowMissing', 'WithAllowOutofOrder'],
    },
  },
  {
    file: /^(\d{1,20})_.+\.sql$/,
    text: /^--\s*migrate:up\b/m,
    whenTaken: 'dbmate runs only one of them on a new database, and then stops',
  },
  {
    file: /^(\d{1,20})_.+\.up\.\w{2,5}$/,
    word: 'golang-migrate',
    whenTaken: 'golang-migrate stops with "duplicate migration file"',
    late: { consequence: 'golang-migrate never runs it there, without an error', unless: [] },
  },
];

/** Another tool, where every migration had a number of its own so far. */
const ANY_TOOL: Tool = {
  file: /^V?(\d{1,20})[_-]+[^.]+\.sql$/,
  whenTaken:
    'all others there have a number of their own, and most tools run only one of two with the same, or none',
};
const MIN_OWN_NUMBERS = 3;
const MAX_MIGRATIONS = 200;

const IN_RAILS = /^(.*\/)?db\/migrate\/(\d{1,20})_[a-z0-9_]+\.rb$/;
const SCHEMA_VERSION = /\bSchema(?:\[[\d.]+\])?\.define\(\s*version:\s*([\d_]+)/;
const MAX_WORD_LINES = 50;

interface Numbered {
  file: ReviewedFile;
  folder: string;
  /** Parts of the version. */
  number: bigint[];
  /** As it is written. */
  shown: string;
  tool: Tool;
  line: Line;
}

interface Placed {
  path: string;
  number: bigint[];
  shown: string;
}

export const sameNumberMigrations: Check = {
  name: 'same_number_migration',
  reviewer: 'breaking_changes',
  looksFor: 'two migrations with the same number, where the number decides',
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    const migrations = await listNumbered(change, code);
    if (migrations.length === 0) return [];
    const before = placedIn(await code.listFiles('base'));
    const after = placedIn(await code.listFiles('head'));
    for (const migration of migrations) {
      const { file, folder, number, shown, tool } = migration;
      if (tool === ANY_TOOL && !haveOwnNumbers(before(folder, tool))) continue;
      const other = after(folder, tool).find(
        (each) => each.path !== file.path && compare(each.number, number) === 0,
      );
      if (!other) continue;
      found.push({
        claim: 'duplicate',
        subject: `${folder}${shown}`,
        title: `Two migrations have the number ${shown}`,
        scenario: `${file.path} and ${other.path} have the same number: ${tool.whenTaken}.`,
        ...placeOf(migration),
        evidence: [],
        command: `git ls-tree --name-only ${change.head.slice(0, 12)} -- ${shellWord(folder)}`,
      });
    }
    return found;
  },
};

export const lateMigrations: Check = {
  name: 'late_migration',
  reviewer: 'breaking_changes',
  looksFor: 'a new migration with a number below one that databases already ran',
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    const migrations = (await listNumbered(change, code)).filter(({ tool }) => tool.late !== undefined);
    if (migrations.length === 0) return [];
    const before = placedIn(await code.listFiles('base'));
    const after = new Set(await code.listFiles('head'));
    for (const migration of migrations) {
      const { file, folder, number, shown, tool } = migration;
      const newest = before(folder, tool).findLast(({ path }) => after.has(path));
      if (!newest || compare(number, newest.number) >= 0) continue;
      const { consequence, unless } = tool.late!;
      if (unless.length > 0 && (await mentions(code, unless))) continue;
      found.push({
        claim: 'contract',
        subject: file.path,
        title: `Migration ${shown} is added below ${newest.shown}`,
        scenario: `Databases that already ran ${newest.path} are past ${file.path}: ${consequence}. Give it a higher number.`,
        ...placeOf(migration),
        evidence: [],
        command: `git ls-tree --name-only ${change.head.slice(0, 12)} -- ${shellWord(folder)}`,
      });
    }
    return found;
  },
};

export const schemasBehind: Check = {
  name: 'schema_behind_migration',
  reviewer: 'breaking_changes',
  looksFor: 'a new migration of Rails that `db/schema.rb` does not have',
  isOffByDefault: true,
  async run(change, code) {
    for (const migration of await listNumbered(change, code)) {
      const [, root = '', number] = IN_RAILS.exec(migration.file.path) ?? [];
      if (number === undefined) continue;
      const path = `${root}db/schema.rb`;
      const [before, after] = [await code.read('base', path), await code.read('head', path)].map(versionOf);
      if (before === undefined || after === undefined || BigInt(number) <= after) continue;
      const last =
        placedIn(await code.listFiles('base'))(migration.folder, migration.tool).at(-1)?.number[0] ?? 0n;
      // It was behind before, so nobody keeps it up to date.
      if (last > before) continue;
      const text = (await code.read('head', path))!.split('\n');
      const line = text.findIndex((each) => SCHEMA_VERSION.test(each));
      return [
        {
          claim: 'missing',
          subject: path,
          title: `${path} does not have migration ${number}`,
          scenario: `${path} is at version ${after}: on a database that is loaded from it, ${migration.file.path} is still pending, so Rails refuses to run tests and pages. Run \`rails db:migrate\` and commit the schema.`,
          ...placeOf(migration),
          evidence: [{ side: 'head', path, line: line + 1, quote: text[line]!.trim() }],
          command: `git grep -n define ${change.head.slice(0, 12)} -- ${shellWord(path)}`,
        },
      ];
    }
    return [];
  },
};

function versionOf(text: string | null): bigint | undefined {
  const version = text === null ? undefined : SCHEMA_VERSION.exec(text)?.[1];
  return version === undefined ? undefined : BigInt(version.replaceAll('_', ''));
}

/** New migrations, and those that got another name. */
async function listNumbered(change: Change, code: ReviewCode): Promise<Numbered[]> {
  const migrations: Numbered[] = [];
  const words = new Map<string, boolean>();
  for (const file of change.files) {
    if (migrations.length === MAX_MIGRATIONS) break;
    if (file.change !== 'added' && file.change !== 'renamed') continue;
    if (['test', 'vendored', 'generated', 'docs'].includes(file.fileClass)) continue;
    const end = file.path.lastIndexOf('/') + 1;
    const [folder, own] = [file.path.slice(0, end), file.path.slice(end)];
    if (file.change === 'renamed' && file.oldPath?.slice(file.oldPath.lastIndexOf('/') + 1) === own) continue;
    if (!/migrat/i.test(folder) || ![...TOOLS, ANY_TOOL].some((tool) => tool.file.test(own))) continue;
    const text = await code.read('head', file.path);
    const line = firstLine(file, text);
    if (text === null || !line) continue;
    for (const tool of [...TOOLS, ANY_TOOL]) {
      const match = tool.file.exec(own);
      if (!match || (tool.text && !tool.text.test(text))) continue;
      if (tool.word !== undefined) {
        if (!words.has(tool.word)) words.set(tool.word, await mentions(code, [tool.word]));
        if (!words.get(tool.word)) continue;
      }
      migrations.push({ file, folder, ...numberOf(match), tool, line });
      break;
    }
  }
  return migrations;
}

/** Every line of a renamed file counts as changed, as it was. */
function firstLine(file: ReviewedFile, text: string | null): Line | undefined {
  if (file.change === 'added') return addedLines(file).find((each) => each.text.trim() !== '');
  const removed = text?.split('\n').findIndex((each) => each.trim() !== '') ?? -1;
  return removed === -1 ? undefined : { number: removed + 1, text: text!.split('\n')[removed]! };
}

function placeOf({ file, line }: Numbered): Pick<Found, 'file' | 'side' | 'line' | 'quote'> {
  return file.change === 'renamed'
    ? { file: file.oldPath ?? file.path, side: 'base', line: line.number, quote: line.text }
    : { file: file.path, side: 'head', line: line.number, quote: line.text };
}

/** The migrations of each folder, which are read once. */
function placedIn(paths: readonly string[]): (folder: string, tool: Tool) => readonly Placed[] {
  const byFolder = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf('/') + 1));
  const known = new Map<Tool, Map<string, Placed[]>>();
  return (folder, tool) => {
    const ofTool = known.get(tool) ?? new Map<string, Placed[]>();
    known.set(tool, ofTool);
    let placed = ofTool.get(folder);
    if (!placed) {
      placed = (byFolder.get(folder) ?? []).flatMap((path): Placed[] => {
        const match = tool.file.exec(path.slice(folder.length));
        return match && fileClassOf(path) !== 'test' ? [{ path, ...numberOf(match) }] : [];
      });
      placed.sort((one, other) => compare(one.number, other.number));
      ofTool.set(folder, placed);
    }
    return placed;
  };
}

function haveOwnNumbers(migrations: readonly Placed[]): boolean {
  const numbers = new Set(migrations.map(({ number }) => number.join('.')));
  return numbers.size >= MIN_OWN_NUMBERS && numbers.size === migrations.length;
}

function numberOf([, number]: RegExpExecArray): Pick<Placed, 'number' | 'shown'> {
  const parts = number!.split(/[._]/).map(BigInt);
  while (parts.length > 1 && parts.at(-1) === 0n) parts.pop();
  return { number: parts, shown: number! };
}

function compare(one: bigint[], other: bigint[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index] ?? 0n, other[index] ?? 0n];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

async function mentions(code: ReviewCode, words: string[]): Promise<boolean> {
  const { lines } = await code.find('head', words, { wholeWords: false, maxLines: MAX_WORD_LINES });
  return lines.some(({ path }) => fileClassOf(path) !== 'docs' && fileClassOf(path) !== 'lock');
}
