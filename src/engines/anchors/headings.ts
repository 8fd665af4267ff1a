/** The headings of a text: which ones are above a position, and their text. */
import { type Block, plainText } from '../text/index.ts';
import { firstEndingAfter } from './segments.ts';

/** The headings above a position: the nearest first, then those of the enclosing sections. */
export function headingsAbove(blocks: readonly Block[], place: number): Block[] {
  const found: Block[] = [];
  let level = 7;
  for (let index = firstEndingAfter(blocks, place) - 1; index >= 0 && level > 1; index -= 1) {
    const block = blocks[index]!;
    if (block.kind !== 'heading' || block.level >= level) continue;
    found.push(block);
    level = block.level;
  }
  return found;
}

/** The text that a reader sees. */
export function headingText(text: string, block: Block): string {
  return plainText(text.slice(block.textStart, block.textEnd));
}

export function headingTexts(text: string, blocks: readonly Block[]): Set<string> {
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  return new Set(headings.map((block) => headingText(text, block)));
}
