/** Escapes untrusted text for the terminal, so that it can't move the cursor or forge a line. */

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const HARMFUL_BUT_LINE_BREAKS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const REPLACEMENT = '\u{fffd}';

/** A value within a line of output. */
export function printable(value: string): string {
  return value.replaceAll(HARMFUL, REPLACEMENT);
}

/** Our own text, possibly with several lines, that contains untrusted values. */
export function printableLines(text: string): string {
  return text.replaceAll(HARMFUL_BUT_LINE_BREAKS, REPLACEMENT);
}

/** JSON with the same value that is safe to print on a terminal. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(HARMFUL_BUT_LINE_BREAKS, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeOf(character.charCodeAt(index))).join(''),
  );
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

const WIDE = /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const WITHOUT_WIDTH = /\p{M}/u;

/** Its width in terminal columns. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (WIDE.test(character)) columns += 2;
    else if (!WITHOUT_WIDTH.test(character)) columns += 1;
  }
  return columns;
}
