/** Finding names in lines of code. */
import { tokensOf } from './code-words.ts';

function hasToken(lines: readonly string[], token: string): boolean {
  return lines.some((line) => line.includes(token) && tokensOf(line).includes(token));
}

/** The changes with at least one of the tokens. */
export function changesWith<C extends { removed: string[]; added: string[] }>(
  changes: readonly C[],
  tokens: readonly string[],
): C[] {
  return changes.filter(({ removed, added }) =>
    tokens.some((token) => hasToken(added, token) || hasToken(removed, token)),
  );
}
