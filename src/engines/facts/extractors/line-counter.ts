/** Counts the lines of a text up to places that come in order. */

export class LineCounter {
  readonly #text: string;
  #line = 1;
  #start = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line of a place, and what is before it on that line. */
  at(offset: number): { line: number; before: string } {
    for (let end = this.#text.indexOf('\n', this.#start); end !== -1 && end < offset; ) {
      this.#line += 1;
      this.#start = end + 1;
      end = this.#text.indexOf('\n', this.#start);
    }
    return { line: this.#line, before: this.#text.slice(Math.max(this.#start, offset - 1000), offset) };
  }
}
