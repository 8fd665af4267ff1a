/** Methods and fields of Java and Go that are still used as they were, where the types of the code say whose they are. */
import type { Check, Found } from '../../check.ts';
import type { Change } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';
import { anchorOf } from '../removed/changed-signatures.ts';
import { type BrokenMember, type BrokenUse, findBrokenMembers } from './find-member-uses.ts';

const MAX_SHOWN_USES = 5;

export const removedMethods: Check = {
  name: 'removed_method_used',
  reviewer: 'breaking_changes',
  looksFor: 'removed methods and fields of types in Java and Go that are still used',
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    for (const each of await findBrokenMembers(change, code, 'removed'))
      found.push(await describeRemoved(change, code, each));
    return found;
  },
};

export const changedMethods: Check = {
  name: 'changed_method',
  reviewer: 'breaking_changes',
  looksFor: 'methods in Java and Go whose parameters changed, and calls that still pass the old ones',
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    for (const each of await findBrokenMembers(change, code, 'changed'))
      found.push(await describeChanged(change, code, each));
    return found;
  },
};

async function describeRemoved(
  change: Change,
  code: ReviewCode,
  { before, file, kind, language, name, title, uses }: BrokenMember,
): Promise<Found> {
  const [first] = uses;
  const path = file.oldPath ?? file.path;
  const type = title.slice(0, title.lastIndexOf('.'));
  const { line } = before[0]!;
  const parents = language === 'go' ? 'what it embeds' : 'what it extends';
  return {
    claim: 'removed_but_used',
    subject: title,
    title: `${title} was removed but is still used`,
    scenario: `${first!.path}:${first!.line}${more(uses)} still use${uses.length > 1 ? '' : 's'} the ${kind} \`${name}\` of \`${type}\`, which neither ${type} nor ${parents} has anymore: the build fails there.`,
    ...{ file: path, side: 'base', line },
    quote: (await code.read('base', path))?.split('\n')[line - 1] ?? name,
    ...proofOf(change, name, uses),
  };
}

async function describeChanged(
  change: Change,
  code: ReviewCode,
  { after, before, file, left, name, title, uses }: BrokenMember,
): Promise<Found> {
  const [first] = uses;
  const count = (each: BrokenMember['before'][number]) => {
    const { required = 0, total = 0 } = each.parameters ?? {};
    return total === required ? `${required}` : `${required} to ${total ?? 'any number of'}`;
  };
  const list = (members: BrokenMember['before']) => [...new Set(members.map(count))].join(' or ');
  const { line } = (after[0] ?? left[0])!;
  const path = file.oldPath ?? file.path;
  const removed = before[0]!;
  return {
    claim: 'signature',
    subject: title,
    title: `${title} is still called with its old parameters`,
    scenario: `${first!.path}:${first!.line}${more(uses)} passes ${first!.given} argument${first!.given === 1 ? '' : 's'} to \`${name}\` of \`${title.slice(0, title.lastIndexOf('.'))}\`, which took ${list(before)} and now takes ${list(left)}: the build fails there.`,
    ...(after.length > 0
      ? await anchorOf(code, file, line)
      : {
          ...({ file: path, side: 'base', line: removed.line } as const),
          quote: (await code.read('base', path))?.split('\n')[removed.line - 1] ?? name,
        }),
    ...proofOf(change, name, uses),
  };
}

function more({ length }: BrokenUse[]): string {
  return length === 1 ? '' : ` and ${length - 1} more ${length === 2 ? 'place' : 'places'}`;
}

function proofOf({ head }: Change, name: string, uses: BrokenUse[]): Pick<Found, 'evidence' | 'command'> {
  return {
    evidence: uses.slice(0, MAX_SHOWN_USES).map(({ line, path, text }) => ({
      ...{ side: 'head', path, line, quote: text.trim() },
    })),
    command: `git grep -nw -e ${shellWord(name)} ${head.slice(0, 12)}`,
  };
}
