/**
 * Records, while Markdown is parsed, which slice of the source each run of text came from. The parser's own positions
 * give only the start and end of a text, not the quote markers, indentation, escapes and entities dropped in between.
 */
import type { Nodes, Text } from 'mdast';
import type { CompileContext, Extension, Token } from 'mdast-util-from-markdown';
import { type Piece, slicePieces } from '../tree.ts';

/** Their text belongs to the enclosing token, which includes the backslash or ampersand. */
const INNER = new Set<string>(['characterEscapeValue', 'characterReferenceValue']);
/** Tokens whose text is buffered and becomes the value of one node. */
const GATHERED = new Set<string>(['codeFenced', 'codeIndented', 'codeText', 'htmlFlow', 'htmlText']);

interface Gathered {
  text: Text;
  pieces: Piece[];
  length: number;
}

export interface SourcePieces {
  extension: Extension;
  /** The pieces of a node with a value. */
  of(node: Nodes & { value: string }): Piece[];
}

export function recordSourcePieces(): SourcePieces {
  const known = new Map<Nodes, Piece[]>();
  const growing = new Map<Nodes, Gathered>();
  let aside: Gathered | undefined;

  function afterExit(this: CompileContext, token: Token): undefined {
    if (INNER.has(token.type)) return;
    const parent = this.stack.at(-1)!;
    const node = 'children' in parent ? (parent.children.at(-1) as Nodes | undefined) : undefined;
    if (node?.type === 'text') {
      const grown = recordGrowth(node, token);
      if (grown && parent.type === 'fragment') aside = grown;
    } else if (node && 'value' in node && GATHERED.has(token.type)) {
      known.set(node, aside ? matchPieces(aside, node.value, token.type === 'codeFenced') : []);
      aside = undefined;
    }
  }

  function recordGrowth(text: Text, token: Token): Gathered | undefined {
    const entry = growing.get(text) ?? { text, pieces: [], length: 0 };
    if (text.value.length === entry.length) return undefined;
    growing.set(text, entry);
    entry.pieces.push({
      text: text.value.slice(entry.length),
      start: token.start.offset,
      end: token.end.offset,
    });
    entry.length = text.value.length;
    return entry;
  }

  return {
    extension: { afterExit } as Extension,
    of(node) {
      const entry = growing.get(node);
      if (!entry) return known.get(node) ?? [];
      // The parser removes the space after a task's checkbox once the text is complete.
      return slicePieces(entry.pieces, entry.length - node.value.length, entry.length);
    },
  };
}

/** The buffered pieces, without the line breaks around a code block and the backslashes in a table's code. */
function matchPieces({ text, pieces, length }: Gathered, value: string, isFenced: boolean): Piece[] {
  if (text.value === value) return pieces;
  const before = isFenced ? (/^(\r\n?|\n)/.exec(text.value)?.[0].length ?? 0) : 0;
  if (value !== '' && text.value.startsWith(value, before))
    return slicePieces(pieces, before, before + value.length);
  const unescaped: Piece[] = [];
  let position = 0;
  for (const match of text.value.matchAll(/\\\\|\\\|/g)) {
    if (match[0] !== '\\|') continue;
    unescaped.push(...slicePieces(pieces, position, match.index));
    position = match.index + 2;
    const [first, last] = [match.index, match.index + 1].map((at) => slicePieces(pieces, at, at + 1)[0]!);
    unescaped.push({ text: '|', start: first!.start, end: last!.end });
  }
  unescaped.push(...slicePieces(pieces, position, length));
  return unescaped.map((piece) => piece.text).join('') === value ? unescaped : [];
}
