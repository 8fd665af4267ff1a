/** The Markdown blocks of a part of a text, cut out of its section alone: a large text costs what its section does. */
import { type Block, splitBlocks } from '../text/index.ts';
import { firstEndingAfter } from './port-anchor-segments.ts';

/** Gives the blocks that reach into a part of the text, and perhaps others around them. */
export type BlockReader = (start: number, end: number) => Block[];

export function makeBlockReader(text: string, all: () => Block[]): BlockReader {
  let fences: Array<{ end: number }> | undefined;
  let read = 0;
  return (start, end) => {
    fences ??= fencesOf(text);
    const from = text.lastIndexOf(SECTION, start);
    const isInsideCode = firstEndingAfter(fences, from) % 2 === 1;
    const next = text.indexOf(SECTION, end);
    const to = next < 0 ? text.length : next;
    read += to - from;
    // Parts that together are more than the text, or a section that may be a comment in code: then all of it is cut.
    if (from < 0 || isInsideCode || read > text.length) return all();
    return splitBlocks(text.slice(from, to)).map((block) => move(block, from));
  };
}

const SECTION = '\n\n#';
const FENCES = ['\n```', '\n~~~'];

/** Where fences of code blocks stand at the start of a line, in order. */
function fencesOf(text: string): Array<{ end: number }> {
  const places: Array<{ end: number }> = [];
  for (const fence of FENCES) {
    for (let at = text.indexOf(fence); at >= 0; at = text.indexOf(fence, at + 1)) places.push({ end: at });
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
