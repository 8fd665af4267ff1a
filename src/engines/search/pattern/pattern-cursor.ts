/** A place in a pattern that moves on by code points, and passes white space and comments where `(?x)` is on. */
import { NotUnderstood } from './not-understood.ts';

/** Rust's `char::is_whitespace`, which is not quite what `\s` means here. */
const WHITE_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/;

export class PatternCursor {
  /** Whether `(?x)` is on. */
  verbose = false;
  readonly #points: string[];
  #at = 0;

  constructor(pattern: string) {
    if (!pattern.isWellFormed()) throw new NotUnderstood('lone surrogate');
    this.#points = Array.from(pattern);
  }

  get done(): boolean {
    return this.#at >= this.#points.length;
  }

  /** The code point at hand, or the empty string at the end. */
  get current(): string {
    return this.#points[this.#at] ?? '';
  }

  /** The code point after the one at hand. */
  get next(): string {
    return this.#points[this.#at + 1] ?? '';
  }

  /** What stands after the code point at hand once white space and comments are passed. */
  get nextBeyondSpace(): string {
    const here = this.#at;
    this.#at += 1;
    this.skipSpace();
    const found = this.current;
    this.#at = here;
    return found;
  }

  /** The text that begins here, `count` code points at most. */
  peek(count: number): string {
    return this.#points.slice(this.#at, this.#at + count).join('');
  }

  take(): string {
    if (this.done) throw new NotUnderstood('the pattern ends too early');
    this.#at += 1;
    return this.#points[this.#at - 1]!;
  }

  /** Moves past `text` when it stands here. */
  takeIf(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.#points[this.#at + index] !== text[index]) return false;
    }
    this.#at += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.takeIf(text)) throw new NotUnderstood(`${text} is missing`);
  }

  skipSpace(): void {
    while (this.verbose && !this.done) {
      if (WHITE_SPACE.test(this.current)) this.#at += 1;
      else if (this.current === '#') this.#skipComment();
      else return;
    }
  }

  #skipComment(): void {
    while (!this.done && this.current !== '\n') this.#at += 1;
  }
}
