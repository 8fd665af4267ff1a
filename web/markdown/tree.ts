/** What a parsed text is made of: the only kinds of nodes that are ever shown, each knowing its place in the source. */

/** A stretch of shown text and the slice of the source it came from, in UTF-16 code units. */
export interface Piece {
  text: string;
  start: number;
  end: number;
}

export type Inline =
  | { type: 'text'; pieces: Piece[] }
  | { type: 'code'; pieces: Piece[] }
  | { type: 'emphasis' | 'strong' | 'delete'; children: Inline[] }
  /** The address is as it was written: the component that shows it decides whether it may be followed. */
  | { type: 'link'; address: string; title: string | undefined; children: Inline[] }
  /** An image that is part of the text itself. */
  | { type: 'picture'; address: string; alternative: string }
  /** An image elsewhere, which is named and not loaded. */
  | { type: 'image-link'; address: string; alternative: Piece }
  | { type: 'footnote-reference'; number: number; first: boolean; label: Piece }
  | { type: 'break' };

/** A slice of the source, in UTF-16 code units. */
export interface SourceRange {
  start: number;
  end: number;
}

export type Block = SourceRange &
  (
    | { type: 'paragraph'; children: Inline[] }
    | { type: 'heading'; level: number; id: string; children: Inline[] }
    | { type: 'quote'; children: Block[] }
    | { type: 'list'; ordered: boolean; first: number; tight: boolean; items: ListItem[] }
    | { type: 'code'; language: string; pieces: Piece[] }
    /** What is shown as it was written, such as HTML. */
    | { type: 'literal'; pieces: Piece[] }
    | { type: 'table'; align: Align[]; rows: Inline[][][] }
    | { type: 'rule' }
  );

export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

export interface ListItem extends SourceRange {
  /** Undefined where the item is no task. */
  done: boolean | undefined;
  children: Block[];
}

export type Align = 'left' | 'right' | 'center' | undefined;

export interface Footnote extends SourceRange {
  number: number;
  /** Whether any text leads to it. */
  referenced: boolean;
  children: Block[];
}

export interface MarkdownTree {
  blocks: Block[];
  footnotes: Footnote[];
}

export type RefusedReason = 'deep' | 'large' | 'slow' | 'broken';

export type Parsed = { kind: 'tree'; tree: MarkdownTree } | { kind: 'refused'; reason: RefusedReason };

/** The text of inline nodes, piece by piece, in the order in which it is shown. */
export function piecesOf(children: readonly Inline[]): Piece[] {
  return children.flatMap((node) => {
    switch (node.type) {
      case 'text':
      case 'code':
        return node.pieces;
      case 'image-link':
        return [node.alternative];
      case 'footnote-reference':
        return [node.label];
      case 'break':
      case 'picture':
        return [];
      default:
        return piecesOf(node.children);
    }
  });
}

/** The part of the pieces' text between two positions in it. */
export function slicePieces(pieces: readonly Piece[], from: number, to: number): Piece[] {
  const sliced: Piece[] = [];
  let position = 0;
  for (const piece of pieces) {
    const first = Math.max(0, from - position);
    const last = Math.min(piece.text.length, to - position);
    position += piece.text.length;
    if (first >= last) continue;
    const text = piece.text.slice(first, last);
    if (!isExact(piece)) sliced.push({ ...piece, text });
    else sliced.push({ text, start: piece.start + first, end: piece.start + last });
  }
  return sliced;
}

/** Whether each character has a place of its own in the source; an entity such as `&amp;` has not. */
export function isExact(piece: Piece): boolean {
  return piece.text.length === piece.end - piece.start;
}

/** Every piece of a text, in the order of the source. */
export function allPiecesOf({ blocks, footnotes }: MarkdownTree): Piece[] {
  return [...blocks, ...footnotes.flatMap((note) => note.children)]
    .flatMap(piecesOfBlock)
    .sort((one, other) => one.start - other.start);
}

function piecesOfBlock(block: Block): Piece[] {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return piecesOf(block.children);
    case 'quote':
      return block.children.flatMap(piecesOfBlock);
    case 'list':
      return block.items.flatMap((item) => item.children.flatMap(piecesOfBlock));
    case 'code':
    case 'literal':
      return block.pieces;
    case 'table':
      return block.rows.flatMap((row) => row.flatMap(piecesOf));
    case 'rule':
      return [];
  }
}
