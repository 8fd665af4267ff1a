/** Methods and fields of types in Java and Go that a change removed, or whose parameters it changed. */
import type { FileSymbols } from '../../../../platform/core/ports/code-facts.ts';
import { type FileMembers, languageOf, type MemberDefinition, readMembers } from '../../../facts/index.ts';
import { type Change, EVERYTHING, type ReviewedFile } from '../../code/read-change.ts';
import { folderOf } from '../../code/resolve-module.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import type { TypeReader } from './type-reader.ts';

const MAX_CHANGED = 300;
const MAX_FILES = 300;
const MIN_NAME_CHARACTERS = 3;
/** Code in them is data, or is made into code. */
export const DATA =
  /(?:^|\/)(?:testdata|test-data|fixtures?|vendor|third_party|src\/(?:main|test)\/resources)\//i;
/** Every type has these in Java, or every enum. */
const EVERY_TYPE =
  /^(?:equals|hashCode|toString|getClass|clone|finalize|notify|notifyAll|wait|values|valueOf|name|ordinal|compareTo|getDeclaringClass|length|serialVersionUID)$/;

export interface ChangedMember {
  file: ReviewedFile;
  language: 'java' | 'go';
  /** As the reader of types names it. */
  type: string;
  name: string;
  kind: MemberDefinition['kind'];
  before: MemberDefinition[];
  after: MemberDefinition[];
  /** Whether the type extends the same as before. */
  hasSameParents: boolean;
}

export async function listChangedMembers(
  change: Change,
  code: ReviewCode,
  readers: Record<'java' | 'go', TypeReader>,
): Promise<ChangedMember[]> {
  const found: ChangedMember[] = [];
  const { concerns = EVERYTHING } = change;
  let read = 0;
  for (const file of change.files) {
    const language = languageOf(file.path);
    if ((language !== 'java' && language !== 'go') || file.fileClass !== 'code' || DATA.test(file.path))
      continue;
    if (file.change === 'added' || file.change === 'copied' || !(await concerns.file(file))) continue;
    // Only in Go can other files have parts of a type.
    if (file.change === 'deleted' ? language === 'java' : file.hunks.every(({ oldLines }) => oldLines === 0))
      continue;
    const oldPath = file.oldPath ?? file.path;
    if (language === 'go' && folderOf(oldPath) !== folderOf(file.path)) continue;
    const before = await code.symbols('base', oldPath);
    const after = file.change === 'deleted' ? null : await code.symbols('head', file.path);
    if (!before || before.isGenerated || (after && (after.isGenerated || after.incomplete !== null)))
      continue;
    if (!mayDiffer(before, after)) continue;
    read += 1;
    if (read > MAX_FILES) break;
    const old = await parse(code, 'base', oldPath);
    const now = file.change === 'deleted' ? undefined : await parse(code, 'head', file.path);
    if (!old || now === null || (now && now.package !== old.package)) continue;
    for (const each of compare(old, now, file, language)) {
      if (each.name.length < MIN_NAME_CHARACTERS || !concerns.name(file, each.name)) continue;
      found.push({ ...each, file, language, type: readers[language].nameOf(file.path, old, each.type) });
      if (found.length >= MAX_CHANGED) return found;
    }
  }
  return found;
}

async function parse(code: ReviewCode, side: 'base' | 'head', path: string): Promise<FileMembers | null> {
  const text = await code.read(side, path);
  return text === null ? null : readMembers({ path, text }, new Set());
}

/** Most changes leave all members as they are. */
function mayDiffer(before: FileSymbols, after: FileSymbols | null): boolean {
  const keyOf = ({ container, kind, name, parameters }: FileSymbols['symbols'][number]) =>
    `${container}.${name} ${kind === 'method' ? `${parameters?.required} ${parameters?.total}` : ''}`;
  const left = new Set(after?.symbols.map(keyOf));
  return before.symbols.some((symbol) => symbol.container !== undefined && !left.has(keyOf(symbol)));
}

type Compared = Omit<ChangedMember, 'file' | 'language'>;

function compare(
  old: FileMembers,
  now: FileMembers | undefined,
  { hunks }: ReviewedFile,
  language: 'java' | 'go',
): Compared[] {
  const found: Compared[] = [];
  const isRemoved = ({ line }: MemberDefinition) =>
    hunks.length === 0 ||
    hunks.some(({ oldLines, oldStart }) => line >= oldStart && line < oldStart + oldLines);
  for (const [type, before] of membersByType(old)) {
    const isType = old.types.has(type);
    // A type that is gone, or that is another file's by now, is found by its own name.
    if (isType && !now?.types.has(type)) continue;
    const after = (now && membersByType(now).get(type)) ?? [];
    const parentsOf = (file: FileMembers | undefined) => file?.types.get(type)?.parents.join() ?? '';
    const hasSameParents = parentsOf(old) === parentsOf(now);
    for (const members of Map.groupBy(before, ({ kind, name }) => `${kind} ${name}`).values()) {
      const [{ kind, name }] = members as [MemberDefinition];
      const visible = members.filter(({ isPrivate }) => !isPrivate);
      const left = after.filter((each) => each.kind === kind && each.name === name);
      const isSame = visible.every(({ parameters }) => left.some((each) => sameCount(each, parameters)));
      if (
        visible.length === 0 ||
        (left.length > 0 && isSame) ||
        (language === 'java' && EVERY_TYPE.test(name))
      )
        continue;
      // A move within the file, or another way to write it, isn't a removal.
      if (left.length === 0 && !visible.some(isRemoved)) continue;
      found.push({ type, name, kind, before: visible, after: left, hasSameParents });
    }
  }
  return found;
}

function sameCount({ parameters }: MemberDefinition, other: MemberDefinition['parameters']): boolean {
  return parameters?.required === other?.required && parameters?.total === other?.total;
}

function membersByType({ methods, types }: FileMembers): Map<string, MemberDefinition[]> {
  const found = new Map<string, MemberDefinition[]>();
  for (const [name, { members }] of types) found.set(name, [...members]);
  for (const { member, of } of methods) found.set(of, [...(found.get(of) ?? []), member]);
  return found;
}
