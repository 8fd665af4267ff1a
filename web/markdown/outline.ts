/** The headings of a text, for a table of contents beside it. */
import { ID_PREFIX } from './address.ts';
import { type MarkdownTree, piecesOf } from './tree.ts';

export interface OutlineEntry {
  /** The id of the heading's element in a MarkdownView: `#${id}` links to it. */
  id: string;
  text: string;
  /** 1 to 6. */
  level: number;
  /** Where the heading begins in the source. */
  start: number;
}

/** Headings inside quotes and lists are excluded. */
export function outlineOf(tree: MarkdownTree): OutlineEntry[] {
  return tree.blocks.flatMap((block) => {
    if (block.type !== 'heading') return [];
    const text = piecesOf(block.children)
      .map((piece) => piece.text)
      .join('')
      .trim();
    return [{ id: ID_PREFIX + block.id, text, level: block.level, start: block.start }];
  });
}
