/** The Markdown blocks of a part of a text. Only its section is parsed, so a long text costs no more than a short one. */
import { type Block, splitBlocks } from '../text/index.ts';
import { firstEndingAfter } from './segments.ts';

/** Returns the blocks that overlap a part of the text, and possibly some around them. */
export type BlockReader = (start: number, end: number) => Block[];

export function makeBlockReader(text: string, all: () => Block[]): BlockReader {
  // Found once for the whole text; searching from each part would scan the text again and again.
  let places: { sections: Place[]; fences: Place[] } | undefined;
  let read = 0;
  return (start, end) => {
    places ??= { sections: placesOf(text, ['\n\n#']), fences: placesOf(text, ['\n```', '\n~~~']) };
    const { sections, fences } = places;
    const from = sections[firstEndingAfter(sections, start) - 1]?.end;
    const to = sections[firstEndingAfter(sections, end)]?.end ?? text.length;
    if (from === undefined) return all();
    const isInsideCode = firstEndingAfter(fences, from) % 2 === 1;
    read += to - from;
    // The section may be a comment in a code block, or the parts add up to more than the text: parse all of it.
    if (isInsideCode || read > text.length) return all();
    return splitBlocks(text.slice(from, to)).map((block) => move(block, from));
  };
}

/** An object, so that `firstEndingAfter` can search it. */
interface Place {
  end: number;
}

function placesOf(text: string, signs: string[]): Place[] {
  const places: Place[] = [];
  for (const sign of signs) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) places.push({ end: at });
  }
  return places.sort((left, right) => left.end - right.end);
}

function move(block: Block, offset: number): Block {
  return {
    ...block,
    start: block.start + offset,
    end: block.end + offset,
    textStart: block.textStart + offset,
    textEnd: block.textEnd + offset,
  };
}
