/** Finds the partner of each bracket. */
import type { Token } from './tokens.ts';

const OPENING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** The index of the partner of each bracket; -1 for other tokens and for brackets without one. */
export function pairBrackets(tokens: Token[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1);
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'symbol') continue;
    if (OPENING[token.text]) {
      open.push(index);
      continue;
    }
    if (token.text !== ')' && token.text !== ']' && token.text !== '}') continue;
    const last = open.at(-1);
    if (last === undefined || OPENING[tokens[last]!.text] !== token.text) continue;
    open.pop();
    partners[last] = index;
    partners[index] = last;
  }
  return partners;
}
