/** Whom the message about an event names: who is asked for a review, who is mentioned, and whose changes conflict. */
import type { Db } from '../../platform/db/index.ts';
import type { OutboxEvent } from '../events/index.ts';
import { namedInTexts } from '../inbox/index.ts';
import { selectEventNames } from './event-subject-store.ts';
import { selectAuthors, selectNamesOfTeams, selectRequestedNames } from './pull-request-subject-store.ts';

export interface NamedPeople {
  label: 'Reviewers' | 'Mentioned' | 'Author';
  names: string[];
}

/** A fixed number of queries for each organization. Events that name nobody are missing. */
export async function peopleInMessages(
  db: Db,
  events: OutboxEvent[],
): Promise<Map<OutboxEvent, NamedPeople>> {
  const people = new Map<OutboxEvent, NamedPeople>();
  const add = (event: OutboxEvent, label: NamedPeople['label'], names: string[]) => {
    if (names.length > 0) people.set(event, { label, names: [...new Set(names)] });
  };
  const mentioned = await namedInTexts(db, events);
  const requests = events.filter(({ kind }) => REQUESTS.has(kind));
  const userIds = [
    ...mentioned.flatMap((one) => one.userIds),
    ...requests.flatMap(({ data }) => textsIn(data.userIds)),
  ];
  const users = await selectEventNames(db, [...new Set(userIds)]);
  const teams = await selectNamesOfTeams(
    db,
    requests.flatMap(({ data }) => textsIn(data.teamIds)),
  );
  for (const [event, some] of Map.groupBy(mentioned, (one) => one.event))
    add(event, 'Mentioned', [
      ...some.flatMap((one) => one.teams.map(({ name }) => name)),
      ...some.flatMap((one) => one.userIds.flatMap((id) => users.get(id) ?? [])),
    ]);
  for (const event of requests) {
    const { names, teamIds, userIds: asked } = event.data;
    const here = [
      ...textsIn(teamIds).flatMap((id) => teams.get(id) ?? []),
      ...textsIn(asked).flatMap((id) => users.get(id) ?? []),
    ];
    // A code host names everyone whom it asks.
    add(event, 'Reviewers', Array.isArray(names) ? textsIn(names) : here);
  }
  const ready = events.filter(becomesReady);
  const requested = await selectRequestedNames(
    db,
    ready.map(({ subjectId }) => subjectId),
  );
  for (const event of ready) add(event, 'Reviewers', requested.get(event.subjectId) ?? []);
  const conflicted = events.filter(({ kind }) => kind === 'pull_request_conflicted');
  const authors = await selectAuthors(
    db,
    conflicted.map(({ subjectId }) => subjectId),
  );
  for (const event of conflicted) add(event, 'Author', authors.get(event.subjectId) ?? []);
  return people;
}

const REQUESTS = new Set(['review_requested', 'pull_request_review_requested']);

/** Reviewers who were named while it was a draft are asked now. */
export function becomesReady({ data, kind }: OutboxEvent): boolean {
  return kind === 'pull_request_state_changed' && data.from === 'draft' && data.to === 'open';
}

function textsIn(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}
