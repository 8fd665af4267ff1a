/** Reads the replies to a comment: objections, and questions that nobody answered. */
import { isQuestion } from './asks.ts';
import type { Reply } from './thread.ts';

const MAX_REPLY = 20_000;

/** Tried on lower-case text without quoted lines. */
const OBJECTIONS = [
  /^(?:no|nope|nah)\b(?! (?:problem|worries|longer|objection))/,
  /\bstill (?:not|doesn't|does not|isn't|is not|wrong|broken|fails?|failing|missing|there|the same|an issue|happens|see|applies|open|needs?|have|has|think)\b/,
  /\b(?:not|isn't|wasn't|aren't|hasn't been|never) (?:\w{1,20} ){0,2}(?:fixed|addressed|resolved|done|solved|enough|sufficient|correct|right|what i (?:meant|asked)|convinced|sure (?:this|that|it|i agree)|true)\b/,
  /\b(?:doesn't|does not|didn't|did not|won't) (?:\w{1,20} ){0,2}(?:fix|address|solve|resolve|help|work|answer|change anything|make sense|agree|match)\b/,
  /\b(?:i|we) (?:\w{1,20} )?(?:disagree|object)\b|\b(?:i|we) (?:don't|do not) (?:\w{1,20} )?(?:agree|think|like|want|see why|see how|believe)\b/,
  /\b(?:i|we)(?:'d| would) (?:\w{1,20} )?(?:rather|prefer)\b/,
  /\b(?:won't ?fix|wontfix|by design|as intended|is intentional|intended behaviou?r|false positive|leave (?:it|this|that) as|keep (?:it|this|that) as|should stay|must stay|please (?:revert|keep|undo)|nack|reopen(?:ing)?|won't change|not (?:going to|gonna) change)\b/,
  /\bthat's (?:not|wrong)\b|\bthis is (?:not|wrong)\b|\bunfortunately\b|\bbut (?:this|that|it) (?:still|now)\b/,
  /^-1\b|👎/,
];

/** The first sentence of the last objection, if a person objected. */
export function findObjection(replies: readonly Reply[]): string | undefined {
  for (const { body } of replies.filter(({ isPerson }) => isPerson).reverse()) {
    const text = ownWords(body);
    if (OBJECTIONS.some((pattern) => pattern.test(text.toLowerCase().replaceAll('’', "'")))) {
      return text.split(/(?<=[.!?])\s|\n/)[0]!.slice(0, 120);
    }
  }
  return undefined;
}

/** Whether the last that a person said is a question. */
export function endsWithQuestion(replies: readonly Reply[]): boolean {
  const last = replies.at(-1);
  if (!last?.isPerson) return false;
  const text = ownWords(last.body);
  return text.endsWith('?') || isQuestion(text);
}

function ownWords(body: string): string {
  const lines = body.slice(0, MAX_REPLY).split('\n');
  return lines
    .filter((line) => !line.trimStart().startsWith('>'))
    .join('\n')
    .trim();
}
