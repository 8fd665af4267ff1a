/** Whether files of a commit still use something, with the lines that do. */

import type { FileFacts } from '../../platform/core/ports/code-facts.ts';
import { linesWithMember } from './checks/members/members-elsewhere.ts';
import type { ReviewCode } from './code/review-code.ts';
import type { ConfirmedUse, UsesRequest } from './contract/code-review.ts';
import { FINDING_LIMITS } from './contract/finding-limits.ts';
import { maskTexts } from './masking/mask-secrets.ts';

export async function confirmUses(
  code: Pick<ReviewCode, 'read' | 'facts' | 'listFiles'>,
  uses: UsesRequest['uses'],
): Promise<ConfirmedUse[]> {
  const confirmed: ConfirmedUse[] = [];
  for (const use of uses) {
    const text = await code.read('head', use.path);
    const lines = text?.split('\n');
    const facts = lines && (await code.facts('head', use.path));
    const found = !facts
      ? []
      : use.member
        ? await linesWithMember(code, { path: use.path, text: text! }, use.member)
        : linesOf(facts, use);
    const quotes = found.map(
      (line) => lines?.[line - 1]?.trim().slice(0, FINDING_LIMITS.quoteCharacters) ?? '',
    );
    const masked = await maskTexts(quotes);
    confirmed.push(found.map((line, index) => ({ line, quote: masked[index]! })));
  }
  return confirmed;
}

/** Where it is imported or called, and the first line that uses what was imported. */
function linesOf(facts: FileFacts, { kind, name }: UsesRequest['uses'][number]): number[] {
  const fact = facts.facts.find((each) => each.role === 'uses' && each.kind === kind && each.name === name);
  if (!fact) return [];
  const symbol = kind === 'symbol' ? name.slice(name.lastIndexOf('#') + 1) : undefined;
  const imported = facts.imports
    .filter(({ line }) => line === fact.line)
    .flatMap(({ names }) => names)
    .find((each) => each.name === symbol);
  const local = imported?.as ?? imported?.name;
  const used = facts.uses.find((each) => each.name === local)?.lines.find((line) => line > fact.line);
  return used === undefined ? [fact.line] : [fact.line, used];
}
