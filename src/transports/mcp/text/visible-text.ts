/** Makes invisible characters visible: those that hide or reverse text are replaced by their code in brackets. */

/** Direction marks and overrides, zero-width characters, tags, and control characters other than tab and line breaks. */
const INVISIBLE = /[[\p{Default_Ignorable_Code_Point}\p{Control}]--[\t\n\r]]|[\ufff9-\ufffb]/gv;

/**
 * They select a variant of the preceding character: of emoji, ideographs and mathematical symbols. Anywhere else, and
 * repeated, they can encode hidden text.
 */
const EMOJI_SELECTOR = /^[\ufe0e\ufe0f]$/u;
const OTHER_SELECTOR = /^[\ufe00-\ufe0d]$/u;
const EMOJI = /^\p{Emoji}$/u;
const HAS_VARIANTS = /^[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Sm}]$/u;
const JOINER = /^[\u200c\u200d]$/u;

/** After these characters joiners are legitimate: in the spelling of some scripts, and in emoji such as families. */
const JOINED =
  /^(?:[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Emoji}\ufe0f)$/u;

/** `[U+202E]` in place of each invisible character. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character, offset: number) => {
    const [earlier = '', before = ''] = twoBefore(text, offset);
    if (EMOJI_SELECTOR.test(character) && EMOJI.test(before)) return character;
    if (OTHER_SELECTOR.test(character) && HAS_VARIANTS.test(before)) return character;
    const joined = before === '\ufe0f' ? earlier + before : before;
    if (JOINER.test(character) && JOINED.test(joined)) return character;
    return `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

function twoBefore(text: string, offset: number): string[] {
  const points = [...text.slice(Math.max(0, offset - 4), offset)];
  return ['', ...points].slice(-2);
}
