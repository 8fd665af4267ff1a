/** Finds the last assignment of a variable before a place, in the blocks around it. */
import type { Code, TokenRange } from './read-code.ts';

/** How far back to look; a variable that was assigned further away stays unknown. */
const MAX_TOKENS_BACK = 800;
const CLOSING = /^[)\]}]$/;
/** At the end of a line or the start of the next one, these continue an expression. */
const CONTINUES = /^(?:[-+*/%.,?:&|([{<>=]|=>|->|\?\.|::)$/;

/** Undefined if it is a parameter, or no assignment is in reach. */
export function assignedTo(code: Code, name: string, before: number): TokenRange | undefined {
  const { partners, tokens } = code;
  const limit = Math.max(0, before - MAX_TOKENS_BACK);
  for (let i = before - 1; i > limit; i -= 1) {
    const { kind, text } = tokens[i]!;
    if (kind === 'symbol' && CLOSING.test(text) && partners[i]! >= 0 && partners[i]! < i) {
      // Skips other blocks; parameters are in the brackets before the block that the place is in.
      i = partners[i]!;
      continue;
    }
    if (text === '{' && kind === 'symbol' && isParameter(code, i, name)) return undefined;
    if (kind !== 'symbol' || (text !== '=' && text !== ':=')) continue;
    const target = tokens[i - 1];
    if (target?.kind !== 'word' || target.text !== name || tokens[i - 2]?.text === '.') continue;
    return { start: i + 1, end: endOfStatement(code, i + 1, before) };
  }
  return undefined;
}

/** Whether the brackets before a block, as in `(a, b) {` or `(a) => {`, have the name. */
function isParameter({ partners, tokens }: Code, block: number, name: string): boolean {
  for (let i = block - 1; i > block - 12 && i >= 0; i -= 1) {
    if (tokens[i]!.kind !== 'symbol' || tokens[i]!.text !== ')') continue;
    const start = partners[i]!;
    return tokens.slice(Math.max(0, start), i).some((token) => token.kind === 'word' && token.text === name);
  }
  return false;
}

function endOfStatement({ partners, tokens }: Code, start: number, limit: number): number {
  for (let i = start; i < limit; i += 1) {
    const token = tokens[i]!;
    const previous = tokens[i - 1]!;
    const isNewLine = i > start && token.line > previous.line;
    if (isNewLine && !isContinued(previous) && !isContinued(token)) return i;
    if (token.kind !== 'symbol') continue;
    if (partners[i]! > i) i = partners[i]!;
    else if (/^[;,)\]}]$/.test(token.text)) return i;
  }
  return limit;
}

function isContinued({ kind, text }: { kind: string; text: string }): boolean {
  return kind === 'symbol' && CONTINUES.test(text);
}
