/** Finds where the identifiers of a file are used: in the tree, or in the text for languages that are scanned. */
import TreeSitter, { type Language, type Query, type Tree } from '@vscode/tree-sitter-wasm';
import type { FileFacts, SymbolDefinition } from '../../platform/core/ports/code-facts.ts';
import type { LanguageRules } from './languages/rules.ts';
import { MAX_NAME_CHARACTERS, MAX_USED_NAMES, MAX_USES } from './limits.ts';

/** The places of names, in the order of the text. */
export class UsedNames {
  isIncomplete = false;
  /** The lines of each name; a line is repeated when it has the name several times. */
  readonly #lines = new Map<string, number[]>();
  #count = 0;
  /** Names of a template come after those of its script. */
  #isUnordered = false;

  add(name: string, line: number): void {
    if (name.length > MAX_NAME_CHARACTERS) return;
    const known = this.#lines.get(name);
    if (known && line < known.at(-1)!) this.#isUnordered = true;
    if (this.#count >= MAX_USES || (!known && this.#lines.size >= MAX_USED_NAMES)) {
      this.isIncomplete = true;
      return;
    }
    this.#count += 1;
    if (known) known.push(line);
    else this.#lines.set(name, [line]);
  }

  /** In order of names, each line once, without the places where the names are defined. */
  without(symbols: SymbolDefinition[]): FileFacts['uses'] {
    for (const { line, name } of symbols) {
      const lines = this.#lines.get(name);
      const at = lines?.indexOf(line) ?? -1;
      if (at !== -1) lines!.splice(at, 1);
    }
    const uses: FileFacts['uses'] = [];
    for (const [name, lines] of this.#lines) {
      if (this.#isUnordered) lines.sort((one, other) => one - other);
      if (lines.length > 0)
        uses.push({ name, lines: lines.filter((line, at) => at === 0 || line !== lines[at - 1]) });
    }
    return uses.sort((one, other) => (one.name < other.name ? -1 : 1));
  }
}

const queries = new Map<Language, Query>();

export function readUses(
  tree: Tree,
  { language, rules, text }: { language: Language; rules: LanguageRules; text: string },
): UsedNames {
  const used = new UsedNames();
  const query =
    queries.get(language) ??
    new TreeSitter.Query(language, `[${rules.identifiers.map((type) => `(${type})`).join(' ')}] @name`);
  queries.set(language, query);
  for (const { node } of query.captures(tree.rootNode)) {
    // Names of commands can be expressions.
    const name = text.slice(node.startIndex, node.endIndex);
    if (/^[^\s"'`(]+$/.test(name)) used.add(name, node.startPosition.row + 1);
  }
  return used;
}
