/**
 * Fields of messages, API types and records that the change removed everywhere, and that other code still reads, writes or expects. A
 * use counts only if nothing declares or makes a field of that name anymore, in any spelling, and the file has to do with the type.
 */
import type { Check, Found } from '../../check.ts';
import { fileClassOf } from '../../code/file-class.ts';
import { type Change, isAdded, type ReviewedFile, removedLines } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { isTelling, plainName, spellingsOf } from './field-names.ts';
import { type DeclaredField, readFields } from './read-fields.ts';

const MAX_FIELDS = 40;
const MAX_LINE_CHARACTERS = 1000;
const MAX_FILES_READ = 300;
const MAX_SHOWN_USES = 5;
const MIN_SIBLINGS = 2;
const CONTRACT = /\.(proto|graphqls?|gql|ya?ml|json)$/i;
const TEMPLATE = /\.(html?|jinja2?|j2|erb|haml|slim|hbs|ejs|twig|liquid|mustache|tmpl|gohtml|blade\.php)$/i;
/** Where a key or a keyword makes a field that nothing declares. */
const DYNAMIC = /\.(py|rb|php|[cm]?[jt]sx?|vue|svelte)$/i;
const COMPONENT = /\.(vue|svelte)$/i;
const MIGRATION = /(^|\/)(migrations?|migrate|versions)\//i;

interface Removed extends DeclaredField {
  path: string;
  /** The fields of the type, in one spelling. */
  siblings: ReadonlySet<string>;
  /** Whether the whole type is gone. */
  isWhole: boolean;
}

export const removedFields: Check = {
  name: 'removed_field',
  reviewer: 'breaking_changes',
  looksFor: 'removed fields of messages and API types that are still used',
  isOffByDefault: true,
  async run(change, code) {
    const removed = await listRemovedFields(change, code);
    if (removed.length === 0) return [];
    const words = [...new Set(removed.flatMap(({ name }) => spellingsOf(name)))];
    const { lines, tooCommon, truncated } = await code.find('head', words, {
      wholeWords: true,
      leavesOutCommon: true,
    });
    if (truncated) return [];
    const common = new Set(tooCommon.map(plainName));
    const wanted = new Set(words.map(plainName));
    const byName = Map.groupBy(
      lines
        .filter(({ text }) => text.length < MAX_LINE_CHARACTERS)
        .flatMap((line) =>
          [...namesIn(line.text)].filter((name) => wanted.has(name)).map((name) => ({ ...line, name })),
        ),
      ({ name }) => name,
    );
    const results: Found[] = [];
    const told = new Set<string>();
    for (const field of removed) {
      // One field tells of a type that is gone.
      const type = `${field.path}\0${field.owner}`;
      if (field.isWhole && told.has(type)) continue;
      const name = plainName(field.name);
      const named = [name, `get${name}`, `set${name}`].flatMap((each) => byName.get(each) ?? []);
      if (named.length === 0 || common.has(name)) continue;
      if (new Set(named.map(({ path }) => path)).size > MAX_FILES_READ) continue;
      const uses = await findUses(change, code, field, named);
      const [first] = uses;
      if (!first) continue;
      told.add(type);
      results.push(await describe(change, code, field, uses));
    }
    return results;
  },
};

function* namesIn(text: string): Generator<string> {
  for (const name of new Set((text.match(/[A-Za-z_]\w*/g) ?? []).map(plainName))) yield name;
}

async function listRemovedFields(change: Change, code: ReviewCode): Promise<Removed[]> {
  const removed: Removed[] = [];
  const kept = new Set<string>();
  for (const file of change.files) {
    if (!mayDeclare(file)) continue;
    const path = file.oldPath ?? file.path;
    const lost = new Set(removedLines(file).map(({ number }) => number));
    if (lost.size === 0 && file.change !== 'deleted') continue;
    const before = await readFields(code, 'base', path);
    const after = file.change === 'deleted' ? [] : await readFields(code, 'head', file.path);
    for (const { name } of after) kept.add(plainName(name));
    const owners = Map.groupBy(before, ({ owner }) => owner);
    const left = new Set(after.map(({ owner }) => owner));
    const names = new Map(
      [...owners].map(([owner, own]) => [owner, new Set(own.map(({ name }) => plainName(name)))]),
    );
    for (const field of before) {
      if (!isTelling(field.name) || (file.change !== 'deleted' && !lost.has(field.line))) continue;
      removed.push({ ...field, path, isWhole: !left.has(field.owner), siblings: names.get(field.owner)! });
    }
    if (removed.length > MAX_FIELDS * 10) break;
  }
  const gone = removed.filter(({ name }) => !kept.has(plainName(name)));
  return [...new Map(gone.map((each) => [plainName(each.name), each])).values()].slice(0, MAX_FIELDS);
}

function mayDeclare({ change, fileClass, path }: ReviewedFile): boolean {
  if (change === 'added' || change === 'copied') return false;
  return (fileClass === 'code' || (fileClass === 'data' && CONTRACT.test(path))) && !MIGRATION.test(path);
}

/** None if the field may still come from somewhere. */
async function findUses(
  change: Change,
  code: ReviewCode,
  field: Removed,
  named: FoundLine[],
): Promise<FoundLine[]> {
  const uses: FoundLine[] = [];
  for (const [path, lines] of Map.groupBy(named, (line) => line.path)) {
    const kind = fileClassOf(path);
    if (kind === 'docs' || kind === 'lock' || kind === 'test' || kind === 'vendored' || MIGRATION.test(path))
      continue;
    const own = await usesIn(code, path, lines, field);
    if (own === 'declared') return [];
    uses.push(...own.filter((use) => !isAdded(change.files, use)));
  }
  return uses;
}

async function usesIn(
  code: ReviewCode,
  path: string,
  lines: FoundLine[],
  field: Removed,
): Promise<FoundLine[] | 'declared'> {
  const name = plainName(field.name);
  if (TEMPLATE.test(path)) return lines.filter(({ text }) => isRead(text, name));
  const fields = await readFields(code, 'head', path);
  const declared = fields.filter((each) => plainName(each.name) === name);
  if (declared.length > 0) {
    // A hand-written copy of the type in another language only expects what it gets.
    const isCopy = languageOf(path) === 'script' && languageOf(field.path) !== 'script';
    const copies = declared.filter(({ owner }) => isCopyOf(fields, owner, field));
    if (!isCopy || copies.length < declared.length) return 'declared';
    const at = new Set(copies.map(({ line }) => line));
    return lines.filter(({ line }) => at.has(line));
  }
  if (CONTRACT.test(path)) return 'declared';
  if (/\.sql$/i.test(path)) return 'declared';
  const facts = await code.symbols('head', path);
  if (!facts) return [];
  if (facts.incomplete !== null || facts.isGenerated) return 'declared';
  if (facts.symbols.some((each) => plainName(each.name) === name)) return 'declared';
  if (DYNAMIC.test(path) && lines.some(({ text }) => isMade(text, name))) return 'declared';
  const isComponent = COMPONENT.test(path);
  const wanted = new Set([name, `get${name}`, `set${name}`]);
  const usedAt = new Set(
    facts.uses.filter((each) => wanted.has(plainName(each.name))).flatMap((each) => each.lines),
  );
  // Expressions in the markup of components are no code to the facts.
  const used = isComponent
    ? new Set(namesIn((await code.read('head', path)) ?? ''))
    : new Set(facts.uses.map((each) => plainName(each.name)));
  const isAbout =
    used.has(plainName(field.owner)) ||
    [...field.siblings].filter((each) => each !== name && (used.has(each) || used.has(`get${each}`)))
      .length >= MIN_SIBLINGS;
  if (!isAbout) return [];
  return lines.filter(
    ({ line, text }) =>
      (isComponent || usedAt.has(line)) && (isRead(text, name) || isWritten(path, text, name)),
  );
}

function isCopyOf(fields: DeclaredField[], owner: string, field: Removed): boolean {
  if (plainName(owner) === plainName(field.owner)) return true;
  const own = fields.filter((each) => each.owner === owner).map(({ name }) => plainName(name));
  return (
    own.filter((each) => each !== plainName(field.name) && field.siblings.has(each)).length >= MIN_SIBLINGS
  );
}

/** `order.total_cents`, `order?.totalCents`, `order['total_cents']`, `order.GetTotalCents()`, `$order->total_cents`. */
function isRead(text: string, name: string): boolean {
  for (const [, member] of text.matchAll(/(?:\.|->|\[["'])(\w+)/g)) {
    const own = plainName(member!);
    if (own === name || own === `get${name}` || own === `set${name}`) return true;
  }
  return false;
}

/** `Order{TotalCents: 1}`, which compiles only if the field is declared. */
function isWritten(path: string, text: string, name: string): boolean {
  return (
    /\.(go|rs)$/.test(path) &&
    [...text.matchAll(/\b(\w+):(?!:)/g)].some(([, key]) => plainName(key!) === name)
  );
}

/** `{ totalCents: 1 }`, `total_cents=1`, `self.total_cents = 1`, `'total_cents' => 1`; capitals name other things. */
function isMade(text: string, name: string): boolean {
  const isName = (word: string) => plainName(word) === name && word !== word.toUpperCase();
  for (const [, key] of text.matchAll(/\b(\w+)["']?\s*(?::(?!:)|=>|=(?![=>]))/g))
    if (isName(key!)) return true;
  return [...text.matchAll(/["'](\w+)["'](?!\s*\])/g)].some(([, word]) => isName(word!));
}

function languageOf(path: string): string {
  return /\.([cm]?[jt]sx?|vue|svelte)$/i.test(path) ? 'script' : path.slice(path.lastIndexOf('.') + 1);
}

async function describe(change: Change, code: ReviewCode, field: Removed, uses: FoundLine[]): Promise<Found> {
  const { line, name, owner, path } = field;
  const [first] = uses;
  const word = spellingsOf(name).find((each) => first!.text.includes(each)) ?? name;
  return {
    claim: 'contract',
    subject: `${owner}.${name}`,
    title: `${owner}.${name} was removed but is still used`,
    scenario: `${first!.path}:${first!.line} still uses \`${word}\`, which ${path} no longer declares and nothing else in this repository does: it is missing, or does not compile.`,
    ...{ file: path, side: 'base', line },
    quote: (await code.read('base', path))?.split('\n')[line - 1] ?? name,
    evidence: uses
      .slice(0, MAX_SHOWN_USES)
      .map((use) => ({ side: 'head', path: use.path, line: use.line, quote: use.text.trim() })),
    command: `git grep -nw -e ${shellWord(word)} ${change.head.slice(0, 12)}`,
  };
}
