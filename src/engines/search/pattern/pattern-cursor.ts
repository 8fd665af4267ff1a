/** A cursor in a pattern that moves by code points, and skips whitespace and comments where `(?x)` is on. */
import { NotUnderstood } from './not-understood.ts';

/** Rust's `char::is_whitespace`, which differs slightly from `\s` in JavaScript. */
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

  /** The current code point, or the empty string at the end. */
  get current(): string {
    return this.#points[this.#at] ?? '';
  }

  /** The code point after the current one. */
  get next(): string {
    return this.#points[this.#at + 1] ?? '';
  }

  /** The code point after the current one, skipping whitespace and comments. */
  get nextBeyondSpace(): string {
    const here = this.#at;
    this.#at += 1;
    this.skipSpace();
    const found = this.current;
    this.#at = here;
    return found;
  }

  /** The text at the cursor, at most `count` code points. */
  peek(count: number): string {
    return this.#points.slice(this.#at, this.#at + count).join('');
  }

  take(): string {
    if (this.done) throw new NotUnderstood('the pattern ends too early');
    this.#at += 1;
    return this.#points[this.#at - 1]!;
  }

  /** Moves past `text` if it is at the cursor. */
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
