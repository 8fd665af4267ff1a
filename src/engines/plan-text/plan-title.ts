/** The title of a plan: its first heading, else its first line. */
import { type Block, oneLine, splitBlocks } from '../text/index.ts';

export const MAX_TITLE_CHARACTERS = 200;
const UNTITLED = 'Untitled plan';

/** Headings and lines without visible text are skipped; after this many, the plan has no title. */
const MAX_LOOKS = 500;

/** Only the beginning of a longer line is used. */
const MAX_LINE_LENGTH = 10_000;

const CHECKBOX = /^\s*\[[ xX]\]\s+/;
const MARKERS = /^(?:[\s>|]|[-+*]\s|#{1,6}\s|\d{1,9}[.)]\s|\[[ xX]\]\s)+/;
const ONLY_A_TAG = /^<[^<>]*>?$/;

export function planTitle(content: string): string {
  const blocks = splitBlocks(content);
  return firstHeading(content, blocks) ?? firstLine(content, blocks) ?? UNTITLED;
}

function firstHeading(content: string, blocks: Block[]): string | null {
  let looks = 0;
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.textStart === block.textEnd) continue;
    const title = asTitle(content.slice(block.textStart, block.textEnd).replace(CHECKBOX, ''));
    if (title !== '') return title;
    looks += 1;
    if (looks === MAX_LOOKS) break;
  }
  return null;
}

function firstLine(content: string, blocks: Block[]): string | null {
  let looks = 0;
  for (const block of blocks) {
    if (block.kind === 'front-matter' || block.kind === 'rule') continue;
    if (block.kind === 'html' && content.startsWith('<!--', block.textStart)) continue;
    for (let start = block.textStart; start < block.textEnd; ) {
      const found = content.indexOf('\n', start);
      const end = found < 0 ? block.textEnd : Math.min(found, block.textEnd);
      const line = content
        .slice(start, Math.min(end, start + MAX_LINE_LENGTH))
        .replace(MARKERS, '')
        .trim();
      const title = block.kind === 'html' && ONLY_A_TAG.test(line) ? '' : asTitle(line);
      if (title !== '') return title;
      looks += 1;
      if (looks === MAX_LOOKS) return null;
      start = end + 1;
    }
  }
  return null;
}

function asTitle(markdown: string): string {
  return oneLine(markdown, MAX_TITLE_CHARACTERS);
}
