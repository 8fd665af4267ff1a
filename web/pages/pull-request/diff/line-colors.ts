/** The colors of lines, made in a worker a block at a time: those that are visible first. */
import type { ColoredWord } from '../../../markdown/color/code-colors.ts';
import { colorCode } from '../../../markdown/color/color-code.ts';
import { wordsOfLines } from '../../../parts/code/line-parts.ts';
import { type DiffLine, type Gap, lineNumber } from './diff-lines.ts';
import type { Side } from './diff-types.ts';

export type Words = readonly ColoredWord[];

/** Successive lines that are colored together. */
export interface ColorBlock {
  language: string;
  lines: DiffLine[];
}

/** A longer run of lines is cut, so that each block is colored within a moment. */
const MAX_BLOCK_LINES = 200;
/** Minified code gets no colors. */
const MAX_LINE_LENGTH = 2000;

export function blocksOf(
  lines: readonly (DiffLine | Gap)[],
  language: string,
): ReadonlyMap<DiffLine, ColorBlock> {
  const blocks = new Map<DiffLine, ColorBlock>();
  let last: ColorBlock | undefined;
  for (const line of lines) {
    if (line.kind === 'gap') {
      last = undefined;
      continue;
    }
    if (!last || last.lines.length >= MAX_BLOCK_LINES) last = { language, lines: [] };
    last.lines.push(line);
    blocks.set(line, last);
  }
  return blocks;
}

export class LineColors {
  readonly #onColored: () => void;
  readonly #words = new WeakMap<DiffLine, Words>();
  readonly #done = new WeakSet<ColorBlock>();
  #wanted: readonly ColorBlock[] = [];
  #isBusy = false;

  constructor(onColored: () => void) {
    this.#onColored = onColored;
  }

  of(line: DiffLine): Words | undefined {
    return this.#words.get(line);
  }

  /** Replaces what was wanted before: nobody waits for lines that were scrolled away. */
  want(blocks: readonly ColorBlock[]): void {
    this.#wanted = blocks;
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    // The lines first: the worker needs a while to start.
    await painted();
    for (;;) {
      const block = this.#wanted.find((each) => !this.#done.has(each));
      if (!block) break;
      this.#done.add(block);
      await this.#color(block, 'new');
      if (block.lines.some(({ kind }) => kind === 'removed')) await this.#color(block, 'old');
      this.#onColored();
    }
    this.#isBusy = false;
  }

  /** An unchanged line has the colors of the new side. */
  async #color({ language, lines }: ColorBlock, side: Side): Promise<void> {
    const own = lines.filter((line) => lineNumber(line, side) !== undefined);
    const texts = own.map(({ text }) => (text.length > MAX_LINE_LENGTH ? '' : text));
    const colored = await colorCode(texts.join('\n'), language);
    for (const [index, words] of wordsOfLines(texts, colored).entries()) {
      const line = own[index]!;
      if (words.length > 0 && (side === 'new' || line.kind === 'removed'))
        this.#words.set(line, joinWords(words, line.text));
    }
  }
}

function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

/** Successive words of one color become one: fewer elements. */
function joinWords(words: Words, text: string): Words {
  const joined: ColoredWord[] = [];
  for (const [start, end, kind] of words) {
    const last = joined.at(-1);
    if (last && last[2] === kind && text.slice(last[1], start).trim() === '')
      joined[joined.length - 1] = [last[0], end, kind];
    else joined.push([start, end, kind]);
  }
  return joined;
}
