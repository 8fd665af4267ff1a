/** Methods and fields that types of Java lost, for other repositories, and the lines there that still use them. */
import { readMembers } from '../../../facts/index.ts';
import type { Change } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import type { RemovedMember, RemovedName } from '../../contract/code-review.ts';
import { type ChangedMember, listChangedMembers } from './changed-members.ts';
import { GoTypes } from './go-types.ts';
import { JavaTypes } from './java-types.ts';

const MAX_MEMBERS = 100;
const MAX_SHOWN_USES = 2;

export async function listMembersElsewhere(change: Change, code: ReviewCode): Promise<RemovedName[]> {
  const readers = { java: new JavaTypes(code), go: new GoTypes(code) };
  const changed = await listChangedMembers(change, code, readers);
  const names: RemovedName[] = [];
  for (const each of changed) {
    if (each.language !== 'java' || each.after.length > 0 || !(await isGone(each, readers.java))) continue;
    const { before, file, kind, name, type } = each;
    const path = file.oldPath ?? file.path;
    const { line } = before[0]!;
    names.push({
      ...{ kind: 'symbol', names: namesOf(type), package: null, isDeclared: false },
      ...{ subject: `${readers.java.titleOf(type)}.${name}`, file: path, line },
      quote: (await code.read('base', path))?.split('\n')[line - 1] ?? name,
      member: { type, name, isCall: kind === 'method' },
    });
    if (names.length >= MAX_MEMBERS) break;
  }
  return names;
}

async function isGone(
  { before, hasSameParents, kind, name, type }: ChangedMember,
  types: JavaTypes,
): Promise<boolean> {
  const { mayBeGenerated, members, unknown } = await types.lookUp(type, name, kind === 'method');
  if (mayBeGenerated || members.length > 0 || unknown.has(type) || unknown.has(`${type}.${name}`))
    return false;
  return unknown.size === 0 || (hasSameParents && !before.some(({ isOverride }) => isOverride));
}

/** Other files import the type, or the one that it is part of. */
function namesOf(type: string): string[] {
  const parts = type.split('.');
  const first = parts.findIndex((part) => /^[A-Z]/.test(part));
  return parts.slice(first).map((_, index) => `maven:${parts.slice(0, first + index + 1).join('.')}`);
}

/** Only where the types of this repository say that the member is that of the removed one. */
export async function linesWithMember(
  code: Pick<ReviewCode, 'read' | 'listFiles'>,
  { path, text }: { path: string; text: string },
  { isCall, name, type }: RemovedMember,
): Promise<number[]> {
  const file = await readMembers({ path, text }, new Set([name]));
  const types = new JavaTypes(code);
  const lines = new Set<number>();
  for (const use of file?.uses ?? []) {
    if (use.isCall !== isCall || lines.size >= MAX_SHOWN_USES) continue;
    const owner = await types.ownerOf(use, path, file!, new Set([type]));
    if (owner === null) continue;
    const found = await types.lookUp(owner, name, isCall);
    const isOnlyParent = found.types.has(type) && [...found.unknown].every((each) => each === type);
    if (isOnlyParent && found.members.length === 0 && !found.mayBeGenerated) lines.add(use.line);
  }
  return [...lines];
}
