/** Comment threads as text, for the tool and the resource: what others wrote is inside fences. */

import { createFences, type Fences } from '../text/fence.ts';
import { visible } from '../text/visible-text.ts';
import { type Thread, writerOf } from './comment-groups.ts';
import type { ThreadComment } from './read-threads.ts';

/** How many characters of the quoted text are shown; the plan has all of it. */
const EXCERPT_LENGTH = 120;

/** Fences for every text in these comments. */
export function fencesFor(comments: readonly ThreadComment[]): Fences {
  return createFences(
    comments.flatMap(({ body, placement, quote }) => [
      body,
      quote ?? '',
      newTextOf(placement) ?? '',
      headingOf(placement) ?? '',
    ]),
  );
}

/** The text that a thread points to, and where it is now. */
export function anchorOf({ addressed, placement, quote }: ThreadComment) {
  return {
    quote: excerptOf(quote),
    placement: placement?.result,
    nowReads: excerptOf(newTextOf(placement)),
    heading: excerptOf(headingOf(placement)),
    addressedInVersion: addressed?.version,
  };
}

type Placement = ThreadComment['placement'];

const newTextOf = (placement: Placement) => (placement?.result === 'edited' ? placement.newText : undefined);
const headingOf = (placement: Placement) =>
  placement?.result === 'orphaned' ? placement.heading : undefined;

const excerptOf = (text: string | null | undefined) => (text ? excerpt(text) : undefined);

/** The beginning of a text written by others. */
export function excerpt(text: string): string {
  const characters = [...text.slice(0, EXCERPT_LENGTH * 2)];
  return characters.length > EXCERPT_LENGTH || text.length > EXCERPT_LENGTH * 2
    ? `${visible(characters.slice(0, EXCERPT_LENGTH).join(''))}…`
    : visible(text);
}

/** A thread with some of its comments, each complete or in part. */
export function writeThread(
  { first, group, isMuted }: Thread,
  members: readonly { comment: ThreadComment; text: string }[],
  fences: Fences,
): string {
  const anchor = anchorOf(first);
  const facts = [
    `Thread ${first.id} (${group}${isMuted ? ', muted by your user' : ''}), on version ${first.version}`,
    first.triageState && `triage state ${first.triageState}`,
    anchor.placement && `the quoted text is ${anchor.placement} in the newest version`,
    anchor.addressedInVersion && `changed in version ${anchor.addressedInVersion}`,
  ].filter((fact) => fact);
  const places = [
    ['quote', anchor.quote],
    ['now-reads', anchor.nowReads],
    ['heading', anchor.heading],
  ] as const;
  return [
    `${facts.join('; ')}.`,
    ...places.flatMap(([kind, text]) => (text === undefined ? [] : [fences.around(kind, text)])),
    ...members.map(({ comment, text }) => {
      const { author, body, createdAt, id } = comment;
      const isCut = text.length < body.length;
      return `Comment ${id} by ${fences.name(author.name)} (${writerOf(comment)}) at ${createdAt}${isCut ? ', a part of it' : ''}:\n${fences.around('comment', text)}`;
    }),
  ].join('\n');
}
