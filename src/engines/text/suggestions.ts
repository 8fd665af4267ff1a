/** The `suggestion` blocks of a comment, in order. Pure. */
import { type Block, fenceInfo, splitBlocks } from './markdown-blocks.ts';

export interface SuggestionBlock {
  /** Where the line of its opening fence starts. */
  start: number;
  /** The new lines, without line breaks; none removes the lines. */
  lines: string[];
}

export function readSuggestions(body: string): SuggestionBlock[] {
  return splitBlocks(body).flatMap((block) => {
    const lines = suggestedLines(body, block);
    return lines ? [{ start: lineStart(body, block.start), lines }] : [];
  });
}

/** Undefined if the block is no suggestion. */
export function suggestedLines(text: string, block: Block): string[] | undefined {
  if (block.kind !== 'code' || fenceInfo(text, block)?.split(/\s/)[0] !== 'suggestion') return undefined;
  const content = text.slice(block.textStart, block.textEnd);
  return content === '' ? [] : content.replace(/\r?\n$/, '').split(/\r?\n/);
}

/** Which suggestion of the comment begins on the line of this offset; -1 if none does. */
export function suggestionAt(body: string, offset: number): number {
  const start = lineStart(body, offset);
  return readSuggestions(body).findIndex((each) => each.start === start);
}

function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
