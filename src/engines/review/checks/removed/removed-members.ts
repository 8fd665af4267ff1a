/**
 * Removed parts of contracts that are still used: enum values, protobuf and GraphQL types and calls, and schemas that an OpenAPI
 * document refers to. Most come from the facts; enum values in contracts are read here.
 */
import type { Fact, FileFacts, FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import type { Check, Found } from '../../check.ts';
import { type Change, EVERYTHING, type ReviewedFile } from '../../code/read-change.ts';
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { danglingReferences } from './dangling-references.ts';

export const CONTRACT = /\.(proto|graphqls?|gql)$/i;
const MAX_MEMBERS = 200;
const MAX_FILES_READ = 300;
const MAX_SHOWN_USES = 5;
export const MIN_MEMBER_CHARACTERS = 3;

interface Member {
  /** As people write it: `Status.DONE`, `Query.user`, `Users/Get`. */
  subject: string;
  kind: 'value' | 'type' | 'field' | 'call';
  /** The word that uses of it contain. */
  word: string;
  /** The enum or service; empty for types and fields. */
  owner: string;
  /** `proto`, `graphql` or the language of the code. */
  language: string;
  path: string;
  line: number;
}

export const removedMembers: Check = {
  name: 'removed_member',
  reviewer: 'breaking_changes',
  looksFor: 'removed parts of contracts and enum values that are still used',
  // Members can come from elsewhere: what a type extends, or another way to write the same.
  isOffByDefault: true,
  async run(change, code) {
    const members = await listRemovedMembers(change, code);
    const found: Found[] = await danglingReferences(change, code);
    if (members.length === 0) return found;
    const words = [
      ...new Set(members.flatMap(({ owner, word }) => (owner ? [word, owner, `${owner}_${word}`] : [word]))),
    ];
    const { lines, truncated } = await code.find('head', words, { wholeWords: true });
    const byPath = Map.groupBy(lines, ({ path }) => path);
    if (truncated || byPath.size > MAX_FILES_READ) return found;
    const files: NamingFile[] = [];
    for (const [path, named] of byPath) {
      const facts = await code.facts('head', path);
      const isContract = CONTRACT.test(path);
      if (!facts || (facts.isGenerated && !isContract)) continue;
      files.push({ path, facts, lines: named, isContract });
    }
    for (const member of members) {
      const uses = isLeft(member, files) ? [] : files.flatMap((file) => usesIn(file, member));
      if (uses.length > 0) found.push(await describe(change, code, member, uses));
    }
    return found;
  },
};

interface NamingFile {
  path: string;
  facts: FileFacts;
  lines: FoundLine[];
  isContract: boolean;
}

export async function listRemovedMembers(change: Change, code: ReviewCode): Promise<Member[]> {
  const members: Member[] = [];
  const { concerns = EVERYTHING } = change;
  for (const file of change.files) {
    if (file.change === 'added' || file.change === 'copied') continue;
    if (file.fileClass !== 'code' || !(await concerns.file(file))) continue;
    const path = file.oldPath ?? file.path;
    const before = await code.symbols('base', path);
    if (!CONTRACT.test(path) && !before?.symbols.some(({ kind }) => kind === 'enum')) continue;
    const after = file.change === 'deleted' ? null : await code.symbols('head', file.path);
    if (!before || before.isGenerated || (file.change !== 'deleted' && (!after || after.incomplete !== null)))
      continue;
    const isKept = (line: number) => file.change !== 'deleted' && !isRemovedLine(file, line);
    const own = CONTRACT.test(path)
      ? [
          ...contractMembers((await code.facts('base', path))?.facts ?? [], path),
          ...valuesOf((await code.read('base', path)) ?? '', path),
        ]
      : codeValues(before, after, path);
    members.push(
      ...own.filter(
        ({ line, word }) =>
          !isKept(line) && word.length >= MIN_MEMBER_CHARACTERS && concerns.name(file, word),
      ),
    );
    if (members.length > MAX_MEMBERS) return members.slice(0, MAX_MEMBERS);
  }
  return members;
}

function isRemovedLine({ hunks }: ReviewedFile, line: number): boolean {
  return hunks.some(({ oldLines, oldStart }) => line >= oldStart && line < oldStart + oldLines);
}

/** Types, calls and fields of the root types, as facts name them. */
function contractMembers(facts: Fact[], path: string): Member[] {
  return facts.flatMap(({ detail, kind, line, name, role }: Fact): Member[] => {
    if (kind !== 'contract' || role !== 'provides') return [];
    const [language, full] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
    const last = full.split(/[./]/).at(-1)!;
    const place = { language, path, line, word: last };
    if (detail === 'rpc') {
      const owner = full.slice(0, full.indexOf('/')).split('.').at(-1)!;
      return [{ ...place, subject: `${owner}/${last}`, kind: 'call', owner }];
    }
    if (detail === 'field') return [{ ...place, subject: full, kind: 'field', owner: '' }];
    return detail === 'service' ? [] : [{ ...place, subject: full, kind: 'type', owner: '' }];
  });
}

/** `enum Status { DONE = 1; }` and `enum Status { DONE }`. */
function valuesOf(text: string, path: string): Member[] {
  const language = path.endsWith('.proto') ? 'proto' : 'graphql';
  const members: Member[] = [];
  let owner: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const started = /^\s*enum\s+(\w+)/.exec(line)?.[1];
    if (started) owner = started;
    const word = owner && !started ? /^\s*([A-Z]\w*)\s*(=|@|#|$)/.exec(line)?.[1] : undefined;
    if (owner && word)
      members.push({
        subject: `${owner}.${word}`,
        kind: 'value',
        word,
        owner,
        language,
        path,
        line: index + 1,
      });
    if (line.includes('}')) owner = undefined;
  }
  return members;
}

/** Values of an enum in code that is still there. */
function codeValues(before: FileSymbols, after: FileSymbols | null, path: string): Member[] {
  const language = before.language ?? '';
  const enumsOf = (file: FileSymbols | null) =>
    new Set(file?.symbols.filter(({ kind }) => kind === 'enum').map(({ name }) => name));
  // An object or a type of another kind may have the same members.
  const enums = enumsOf(before).intersection(enumsOf(after));
  const kept = new Set(after?.symbols.map(({ container, name }) => `${container ?? ''}.${name}`));
  return before.symbols.flatMap(({ container: owner, kind, line, name: word }): Member[] => {
    if (owner === undefined || !enums.has(owner) || kind === 'method' || kind === 'function') return [];
    if (kept.has(`${owner}.${word}`)) return [];
    return [{ subject: `${owner}.${word}`, kind: 'value', word, owner, language, path, line }];
  });
}

/** Whether something at the head may still provide it. */
function isLeft(member: Member, files: NamingFile[]): boolean {
  const { kind, path, subject, word } = member;
  if (kind === 'field')
    return files.some(({ facts }) =>
      facts.facts.some(({ name, role }) => role === 'provides' && name === `graphql:${subject}`),
    );
  const declared = {
    value: new RegExp(`^\\s*${word}\\s*(=|@|#|$)`),
    type: new RegExp(`^\\s*(extend\\s+)?(type|interface|input|enum|union|scalar|message)\\s+${word}\\b`),
    call: new RegExp(`^\\s*rpc\\s+${word}\\b`),
  }[kind];
  return files.some(({ facts, isContract, lines, path: at }) =>
    isContract
      ? lines.some(({ text }) => declared.test(text))
      : at !== path && facts.symbols.some(({ name }) => isNamed(member, name)),
  );
}

/** Handwritten code may define the same name. */
function isNamed({ kind, owner, word }: Member, name: string): boolean {
  if (kind === 'value') return name === owner || name === `${owner}_${word}`;
  return kind === 'type' && name === word;
}

function usesIn(file: NamingFile, member: Member): FoundLine[] {
  const { facts, isContract, lines } = file;
  const { kind, language, owner, word } = member;
  if (kind === 'field') {
    const used = facts.facts.find(
      ({ kind: of, name, role }) =>
        of === 'contract' && role === 'uses' && name === `graphql:${member.subject}`,
    );
    return used ? lines.filter(({ line }) => line === used.line) : [];
  }
  if (kind === 'type') {
    if (!isContract || (language === 'proto') !== file.path.endsWith('.proto')) return [];
    return lines.filter(({ text }) => refersTo(text, word, language));
  }
  const usedAt = (name: string) => new Set(facts.uses.find((use) => use.name === name)?.lines);
  if (kind === 'call') {
    const isClient = facts.facts.some(
      ({ kind: of, name, role }) =>
        of === 'contract' && role === 'uses' && (name === `proto:${owner}` || name.endsWith(`.${owner}`)),
    );
    const called = usedAt(word);
    return isClient
      ? lines.filter(({ line, text }) => called.has(line) && new RegExp(`\\.${word}\\(`).test(text))
      : [];
  }
  const own = usedAt(word);
  const joined = usedAt(`${owner}_${word}`);
  const pattern = new RegExp(`(?<!\\w)${owner}(\\.|::|_)${word}\\b`);
  return lines.filter(({ line, text }) => (own.has(line) || joined.has(line)) && pattern.test(text));
}

/** Where a contract defines a type. */
function refersTo(text: string, word: string, language: string): boolean {
  const line = text.replace(/(#|\/\/).*$/, '');
  if (language === 'proto')
    return new RegExp(
      `^\\s*((repeated|optional|required)\\s+)?${word}\\s+\\w+\\s*=\\s*\\d|[(<,]\\s*(stream\\s+)?${word}\\s*[)>]`,
    ).test(line);
  return (
    new RegExp(`:\\s*\\[*${word}\\b[\\]!]*|\\bon\\s+${word}\\b|[|&]\\s*${word}\\b`).test(line) &&
    !/^\s*"/.test(line)
  );
}

async function describe(change: Change, code: ReviewCode, member: Member, uses: FoundLine[]): Promise<Found> {
  const { kind, line, path, subject, word } = member;
  const [first] = uses;
  return {
    claim: 'contract',
    subject,
    title: `${subject} was removed but is still used`,
    scenario: `${first!.path}:${first!.line} still uses the ${kind} \`${subject}\`, which ${path} no longer has: the build fails, or that line fails when it runs.`,
    file: path,
    side: 'base',
    line,
    quote: (await code.read('base', path))?.split('\n')[line - 1] ?? word,
    evidence: uses
      .slice(0, MAX_SHOWN_USES)
      .map((use) => ({ side: 'head', path: use.path, line: use.line, quote: use.text.trim() })),
    command: `git grep -nw -e ${shellWord(word)} ${change.head.slice(0, 12)}`,
  };
}
