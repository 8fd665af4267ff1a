/** Words that are in every second comment, so that finding them in the code says nothing. */
import { stem } from './code-words.ts';

const COMMON_WORDS = new Set(
  `the this that these those and but not for with from into about are was were been being has have had did does
  can could would should shall will may might must you your our its their they them there here her where when what
  which who whom why how all any some each other more most such than then too very just only also still same think
  maybe please nit like see use using want need make made let get got put say know look seem mean thing way now
  instead rather better good great nice done sure fine yes don doesn isn aren won shouldn couldn wouldn didn haven
  hasn wasn actually probably really perhaps line code change file above below before after since because while until
  unless add remove delete rename move fix update consider prefer suggest thank sorry okay ditto again first second
  one two out off over under both either neither nor yet ever never always sometimes something anything nothing`
    .split(/\s+/)
    .map(stem),
);

export function isCommonWord(stemmed: string): boolean {
  return COMMON_WORDS.has(stemmed);
}

const OPERATOR = /^[=!<>&|+*?:%^~-]$/;

/** Whether two tokens in a row could be in any sentence. Operators such as `=>` could not. */
export function isCommonPair(pair: string): boolean {
  return pair
    .split(' ')
    .every((token) => (token.length < 3 ? !OPERATOR.test(token) : isCommonWord(stem(token.toLowerCase()))));
}
