/** Threads of comments as text, for the tool and the resource: what others wrote stands in fences. */
import { type Thread, writerOf } from './comment-groups.ts';
import { createFences, type Fences, quoteName } from './fence.ts';
import type { ThreadComment } from './read-threads.ts';
import { visible } from './visible-text.ts';

/** How much of the words that a comment points to is shown: the plan has them all. */
const EXCERPT = 120;

/** For everything that is written of these comments. */
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

/** The words that a thread is about, and what became of them. */
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

/** The beginning of a text of others. */
export function excerpt(text: string): string {
  const signs = [...text.slice(0, EXCERPT * 2)];
  return signs.length > EXCERPT || text.length > EXCERPT * 2
    ? `${visible(signs.slice(0, EXCERPT).join(''))}…`
    : visible(text);
}

/** With these of its comments, each whole or a part of it. */
export function writeThread(
  { first, group, isMuted }: Thread,
  members: readonly { comment: ThreadComment; text: string }[],
  fences: Fences,
): string {
  const anchor = anchorOf(first);
  const facts = [
    `Thread ${first.id} (${group}${isMuted ? ', muted by your user' : ''}), on version ${first.version}`,
    first.triageState && `triage state ${first.triageState}`,
    anchor.placement && `its words are ${anchor.placement} in the newest version`,
    anchor.addressedInVersion && `changed in version ${anchor.addressedInVersion}`,
  ].filter((fact) => fact);
  const places = [
    ['quote', anchor.quote],
    ['now-reads', anchor.nowReads],
    ['heading', anchor.heading],
  ] as const;
  return [
    `${facts.join('; ')}.`,
    ...places.flatMap(([kind, text]) => (text === undefined ? [] : [fences.around(kind, {}, text)])),
    ...members.map(({ comment, text }) => {
      const { author, body, createdAt, id } = comment;
      const isCut = text.length < body.length;
      return `Comment ${id} by ${quoteName(author.name)} (${writerOf(comment)}) at ${createdAt}${isCut ? ', a part of it' : ''}:\n${fences.around('comment', { author: author.name }, text)}`;
    }),
  ].join('\n');
}
