/** The tree of a parsed text: the only node types that are ever shown, each with its source position. */

/** A run of visible text and the slice of the source it came from, in UTF-16 code units. */
export interface Piece {
  text: string;
  start: number;
  end: number;
}

export type Inline =
  | { type: 'text'; pieces: Piece[] }
  | { type: 'code'; pieces: Piece[] }
  | { type: 'emphasis' | 'strong' | 'delete'; children: Inline[] }
  /** The address as written: the component that renders it decides whether it can be followed. */
  | { type: 'link'; address: string; title: string | undefined; children: Inline[] }
  /** An image embedded in the text. */
  | { type: 'picture'; address: string; alternative: string }
  /** An external image, which is named but not loaded. */
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
    /** Shown as source, such as HTML. */
    | { type: 'literal'; pieces: Piece[] }
    | { type: 'table'; align: Align[]; rows: Inline[][][] }
    | { type: 'rule' }
  );

export type BlockOf<Type extends Block['type']> = Extract<Block, { type: Type }>;

export interface ListItem extends SourceRange {
  /** Undefined if the item isn't a task. */
  done: boolean | undefined;
  children: Block[];
}

export type Align = 'left' | 'right' | 'center' | undefined;

export interface Footnote extends SourceRange {
  number: number;
  /** Whether anything refers to it. */
  referenced: boolean;
  children: Block[];
}

export interface MarkdownTree {
  blocks: Block[];
  footnotes: Footnote[];
}

export type RefusedReason = 'deep' | 'large' | 'slow' | 'broken';

export type Parsed = { kind: 'tree'; tree: MarkdownTree } | { kind: 'refused'; reason: RefusedReason };

/** The text of inline nodes as pieces, in display order. */
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

/** The part of the pieces between two offsets of their text. */
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

/** Whether the characters map one to one to the source; those of an entity such as `&amp;` don't. */
export function isExact(piece: Piece): boolean {
  return piece.text.length === piece.end - piece.start;
}

/** Every piece of a text, in source order. */
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
