/** Whom the texts of events name: people and teams, for a whole batch of events. */
import { mentionedIn } from '../../engines/text/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { findPeopleByHandle } from '../memberships/index.ts';
import { findTeamsByName } from '../teams/index.ts';
import { selectCommentTexts, selectDescriptions, selectVersionTexts } from './mention-store.ts';

/** Names in one text; more is a list and addresses nobody. */
const MAX_NAMES = 50;

export interface NamedInText {
  event: OutboxEvent;
  /** The comment, review, pull request or plan that the text is of. */
  sourceId: string;
  userIds: string[];
  teams: { id: string; name: string }[];
}

/** A name is a team, else the person whom it means. */
export async function namedInTexts(db: Db, events: OutboxEvent[]): Promise<NamedInText[]> {
  const named = (await loadTexts(db, events)).flatMap(({ body, event, sourceId }) => {
    const names = mentionedIn(body).slice(0, MAX_NAMES);
    return names.length > 0 ? [{ event, sourceId, names }] : [];
  });
  const found: NamedInText[] = [];
  for (const [organizationId, some] of Map.groupBy(named, ({ event }) => event.organizationId)) {
    const names = [...new Set(some.flatMap((one) => one.names))];
    const teams = await findTeamsByName(db, organizationId, names);
    const others = names.filter((name) => !teams.has(name));
    const people = await findPeopleByHandle(db, organizationId, others);
    for (const { event, names: ofText, sourceId } of some)
      found.push({
        event,
        sourceId,
        userIds: [...new Set(ofText.flatMap((name) => people.get(name) ?? []))],
        teams: ofText.flatMap((name) => teams.get(name) ?? []),
      });
  }
  return found;
}

interface TextOfEvent {
  event: OutboxEvent;
  sourceId: string;
  body: string;
}

async function loadTexts(db: Db, events: OutboxEvent[]): Promise<TextOfEvent[]> {
  const comments = events.flatMap((event) => commentsOf(event).map((id) => ({ event, id })));
  const described = events.filter(
    ({ kind }) => kind === 'pull_request_opened' || kind === 'pull_request_edited',
  );
  const versions = events.filter(({ kind }) => kind === 'plan_created' || kind === 'version_added');
  const versionOf = ({ data }: OutboxEvent) => String(data.versionId);
  const bodies = bodiesOf(
    await selectCommentTexts(
      db,
      comments.map(({ id }) => id),
    ),
  );
  const descriptions = bodiesOf(
    await selectDescriptions(
      db,
      described.map(({ subjectId }) => subjectId),
    ),
  );
  const contents = bodiesOf(await selectVersionTexts(db, versions.map(versionOf)));
  const text = (event: OutboxEvent, sourceId: string, body = '') => ({ event, sourceId, body });
  return [
    ...comments.map(({ event, id }) => text(event, id, bodies.get(id))),
    ...described.map((event) => text(event, event.subjectId, descriptions.get(event.subjectId))),
    // The next version of a plan is the same text.
    ...versions.map((event) => text(event, event.subjectId, contents.get(versionOf(event)))),
  ];
}

function bodiesOf(texts: { id: string; body: string }[]): Map<string, string> {
  return new Map(texts.map(({ body, id }) => [id, body]));
}

/** Comments and the note of a review: of a review that was submitted with comments, all of them. */
function commentsOf({ data, kind }: OutboxEvent): string[] {
  // A triage or a deletion changes no text.
  if (kind === 'comment_triaged' || data.deleted === true) return [];
  const listed = Array.isArray(data.commentIds) ? data.commentIds : [];
  return [data.commentId, data.verdictId, ...listed].filter((id) => typeof id === 'string');
}
