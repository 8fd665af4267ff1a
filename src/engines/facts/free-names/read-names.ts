/** Which names a file declares at its top, and which it uses although nothing in it declares them. */
import type { Node } from '@vscode/tree-sitter-wasm';
import { type Grammar, grammarOf, languageOf } from '../language.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import { type LoadedGrammar, loadGrammar } from '../parse.ts';
import { GO_NAMES } from './go-names.ts';
import { JAVA_NAMES } from './java-names.ts';
import type { NameRules } from './name-rules.ts';
import { PYTHON_NAMES } from './python-names.ts';
import { JAVASCRIPT_NAMES, SCRIPT_NAMES } from './script-names.ts';

const RULES: Partial<Record<Grammar, NameRules>> = {
  typescript: SCRIPT_NAMES,
  tsx: SCRIPT_NAMES,
  javascript: JAVASCRIPT_NAMES,
  python: PYTHON_NAMES,
  go: GO_NAMES,
  java: JAVA_NAMES,
};
/** Nobody uses a name in more places of one file. */
const MAX_PLACES = 5000;
const MAX_ERRORS = 200;
const MAX_ERROR_LINES = 5;

export interface FileNames {
  /** The line, from 1, where the top of the file declares or imports a name first. */
  declared: ReadonlyMap<string, number>;
  /** The lines that use a name which nothing around them declares. */
  free: ReadonlyMap<string, number[]>;
}

/** Only about the names that are asked for. Null when nothing can be said: another language, a syntax error, too large. */
export async function readNames(
  { path, text }: { path: string; text: string },
  wanted: ReadonlySet<string>,
): Promise<FileNames | null> {
  const grammar = grammarOf(path, languageOf(path));
  const rules = grammar && RULES[grammar];
  if (!rules || text.length > MAX_FILE_BYTES || rules.silencedBy?.test(text)) return null;
  const loaded = await loadGrammar(grammar);
  const tree = loaded.parse(text);
  try {
    if (!tree) return null;
    const unread = tree.rootNode.hasError ? readErrors(tree.rootNode, loaded) : [];
    if (!unread) return null;
    const query = loaded.query(`[${rules.types.map((type) => `(${type})`).join(' ')}] @name`);
    const places: Node[] = [];
    for (const { node } of query.captures(tree.rootNode)) {
      if (!wanted.has(text.slice(node.startIndex, node.endIndex))) continue;
      places.push(node);
      if (places.length > MAX_PLACES) return null;
    }
    const sure = new Set([...wanted].filter((name) => !unread.some((part) => part.includes(name))));
    return readPlaces(
      tree.rootNode,
      places.filter((node) => sure.has(node.text)),
      rules,
      sure,
    );
  } finally {
    tree?.delete();
  }
}

/** The texts that the grammar can't read, often newer syntax; null if they are so long that their surroundings are wrong too. */
export function readErrors(root: Node, { query }: LoadedGrammar): string[] | null {
  const errors = query('(ERROR) @error')
    .captures(root)
    .map(({ node }) => node);
  const isSmall = ({ endPosition, startPosition }: Node) =>
    endPosition.row - startPosition.row < MAX_ERROR_LINES;
  return errors.length <= MAX_ERRORS && errors.every(isSmall) ? errors.map(({ text }) => text) : null;
}

function readPlaces(root: Node, places: Node[], rules: NameRules, wanted: ReadonlySet<string>): FileNames {
  const declared = new Map<string, number>();
  /** The scopes that declare a name, by their ids. */
  const scopesOf = new Map<string, Set<number>>();
  const unsure = new Set<string>();
  const uses: Node[] = [];
  const declare = (name: string, scope: Node, line: number) => {
    if (scope.id === root.id && !declared.has(name)) declared.set(name, line);
    scopesOf.set(name, (scopesOf.get(name) ?? new Set()).add(scope.id));
  };
  for (const { line, name } of rules.impliedImports?.(root) ?? [])
    if (wanted.has(name)) declare(name, root, line);
  for (const node of places) {
    const { parent, text } = node;
    const role = parent ? rules.roleOf(node, parent) : 'none';
    if (role === 'uses') uses.push(node);
    else if (role === 'unsure') unsure.add(text);
    else if (role !== 'none') {
      const around = role === 'declares_outside' ? (parent?.parent ?? root) : parent;
      declare(text, scopeAround(around, root, rules), node.startPosition.row + 1);
    }
  }
  const free = new Map<string, number[]>();
  for (const node of uses) {
    const name = node.text;
    if (unsure.has(name) || isDeclaredAround(node, scopesOf.get(name))) continue;
    const line = node.startPosition.row + 1;
    const lines = free.get(name) ?? [];
    if (lines.at(-1) !== line) free.set(name, [...lines, line]);
  }
  return { declared, free };
}

function scopeAround(from: Node | null, root: Node, { scopes }: NameRules): Node {
  for (let node = from; node; node = node.parent) if (scopes.has(node.type)) return node;
  return root;
}

function isDeclaredAround(use: Node, scopes: ReadonlySet<number> | undefined): boolean {
  if (!scopes) return false;
  for (let node = use.parent; node; node = node.parent) if (scopes.has(node.id)) return true;
  return false;
}
