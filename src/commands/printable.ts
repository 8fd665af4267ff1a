/** Text from people and from outside, made harmless for a terminal: nothing in it moves the cursor or forges a line. */

const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const HARMFUL_BUT_LINE_BREAKS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const REPLACEMENT = '\u{fffd}';

/** A value that stands in a line of ours. */
export function printable(value: string): string {
  return value.replaceAll(HARMFUL, REPLACEMENT);
}

/** A text of ours that may have several lines, with anybody's words in it. */
export function printableLines(text: string): string {
  return text.replaceAll(HARMFUL_BUT_LINE_BREAKS, REPLACEMENT);
}

/** JSON that means the same to a program and is harmless on a terminal too. */
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

/** How many columns a terminal takes for it. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) {
    if (WIDE.test(character)) columns += 2;
    else if (!WITHOUT_WIDTH.test(character)) columns += 1;
  }
  return columns;
}
