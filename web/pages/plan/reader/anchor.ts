/** The anchor of a comment: its quote with surrounding text, so that it can be found in later versions. Pure. */
import type { SourceRange } from '../../../markdown/tree.ts';
import type { PlanText } from '../plan-data.ts';

const CONTEXT_LENGTH = 64;
/** The service's limit, in characters of the JSON text. */
const MAX_CHARACTERS = 65_536;

/** Undefined if the selection is too long to send. */
export function anchorOf({ content, structure }: PlanText, { start, end }: SourceRange): string | undefined {
  const from = Math.max(0, start - CONTEXT_LENGTH);
  const to = Math.min(content.length, end + CONTEXT_LENGTH);
  const heading = structure.sections.findLast((section) => section.start <= start);
  const anchor = JSON.stringify({
    quote: content.slice(start, end),
    prefix: content.slice(cutsCharacter(content, from) ? from + 1 : from, start),
    suffix: content.slice(end, cutsCharacter(content, to) ? to - 1 : to),
    heading: heading?.title ?? null,
  });
  return anchor.length <= MAX_CHARACTERS ? anchor : undefined;
}

/** Whether a cut here would split a character. */
function cutsCharacter(text: string, at: number): boolean {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') && /[\uD800-\uDBFF]/.test(text[at - 1] ?? '');
}
