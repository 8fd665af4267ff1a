/**
 * The text of what is posted on a code host for somebody here: it says for whom, and ends with a hidden marker made from our ID.
 * The marker is looked for before anything is posted again, and tells what we posted from what people wrote there. Pure.
 */

import { withLinkedImages, withOwnImages } from './posted-images.ts';

export interface ToPost {
  id: string;
  /** The member. */
  name: string;
  byAgent: boolean;
  body: string;
  /** The page of the pull request here. */
  pageUrl: string;
}

const MARKER = /<!-- countersign:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->/g;
const AT_END = /<!-- countersign:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) -->\s*$/;
/** How a comment begins that could not be shown at its place (see review-text.ts of the engine). */
const PLACE = /^\*\*`[^\n]*\*\*(?:\r?\n){2}\*\*[^\n]*\*\* \(via Countersign\)/;
const INTRODUCTION = /^\*\*[^\n]*\*\* \(via Countersign\)[^\n]*(?:\n\n|$)/;

export function postedText({ body, byAgent, id, name, pageUrl }: ToPost): string {
  const by = byAgent ? `${plainName(name)}’s agent` : plainName(name);
  return `**${by}** (via Countersign):\n\n${withLinkedImages(body, pageUrl)}\n\n${markerOf(id)}`;
}

const SAID = {
  approved: 'approved this pull request',
  changes_requested: 'requested changes',
  commented: 'commented',
} as const;

export function postedVerdict(verdict: {
  id: string;
  name: string;
  /** Given by the service itself. */
  isService: boolean;
  verdict: keyof typeof SAID;
  note: string | null;
}): string {
  const note = verdict.note === null ? '' : `${verdict.note}\n\n`;
  const via = verdict.isService ? '' : ' (via Countersign)';
  const introduction = `**${plainName(verdict.name)}**${via} ${SAID[verdict.verdict]}.`;
  return `${introduction}\n\n${note}${markerOf(verdict.id)}`;
}

/** The ID that we posted it under and the person's words; null if it has no marker of ours at its end. */
export function readPosted(text: string): { id: string; body: string } | null {
  const match = AT_END.exec(text);
  if (!match) return null;
  const body = unifyLines(withoutLastLines(text.slice(0, match.index))).replace(INTRODUCTION, '');
  return { id: match[1]!, body: withOwnImages(body) };
}

/** Without the empty lines at its end. Not by an expression, which would try each run of them. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** A text that we posted as people read it, also if somebody removed the marker from it. */
export function wordsOf(text: string): string {
  return readPosted(text)?.body ?? withOwnImages(unifyLines(text).replace(INTRODUCTION, ''));
}

/** Whether it contains comments of ours that a host without texts of reviews could not show on lines or a file. */
export function isReviewText(text: string): boolean {
  const ids = markersIn(text);
  return ids.length > 1 || (ids.length === 1 && PLACE.test(text));
}

/** All IDs in a text: a review can contain several of our comments. */
export function markersIn(text: string): string[] {
  return [...text.matchAll(MARKER)].map(([, id]) => id!);
}

/** Whether two texts are the same for a person: hosts change line ends and the white space around a text. */
export function isSameText(one: string, other: string): boolean {
  return unifyLines(one).trim() === unifyLines(other).trim();
}

/** Hidden on every host. */
export function markerOf(id: string): string {
  return `<!-- countersign:${id} -->`;
}

function unifyLines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** A name formats nothing and mentions nobody. */
function plainName(name: string): string {
  return name
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>~|]/g, '\\$&')
    .replaceAll('@', '&#64;');
}
