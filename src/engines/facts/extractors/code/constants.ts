/** Names with one literal string as their value everywhere in the file. */
import type { Token } from './tokens.ts';

const MAX_CONSTANTS = 5000;
/** Behind a literal, these make it part of a larger expression. */
const CONTINUES = new Set(['+', '.', '%', '?', '[', '->', '?.']);

export class Constants {
  /** Null when the name has different values. */
  readonly #values = new Map<string, string | null>();

  constructor(tokens: Token[]) {
    for (let i = 1; i < tokens.length && this.#values.size < MAX_CONSTANTS; i += 1) {
      const token = tokens[i]!;
      if (token.kind !== 'string') continue;
      const before = tokens[i - 1]!;
      if (before.kind !== 'symbol' || !/^(?:=|:=|:|=>)$/.test(before.text)) continue;
      const after = tokens[i + 1];
      if (after?.kind === 'symbol' && CONTINUES.has(after.text) && after.line === token.line) continue;
      const name = nameBefore(tokens, i - 1);
      if (name) this.#add(name, token.text);
    }
  }

  #add(name: string, value: string): void {
    const known = this.#values.get(name);
    this.#values.set(name, known === undefined || known === value ? value : null);
  }

  get(name: string): string | undefined {
    return this.#values.get(name) ?? undefined;
  }
}

/** The name in `NAME = 'x'`, `NAME: Type = 'x'`, `NAME Type = "x"` and `name: 'x'`. */
function nameBefore(tokens: Token[], operator: number): string | null {
  const before = tokens[operator - 1];
  if (before?.kind !== 'word') return null;
  const { line } = before;
  const colon = tokens[operator - 2];
  const beforeColon = tokens[operator - 3];
  if (colon?.text === ':' && colon.line === line && beforeColon?.kind === 'word') return beforeColon.text;
  // Go: `const Topic string = "x"`, but not `private static final String TOPIC = "x"`.
  const first = tokens[operator - 2];
  const isGoType = before.text === 'string' && first?.kind === 'word' && first.line === line;
  return isGoType ? first.text : before.text;
}
