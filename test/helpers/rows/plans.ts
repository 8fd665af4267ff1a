/** Creates plans and comments over HTTP, like agents and people do. */
import { randomUUID } from 'node:crypto';
import { makePerson, makeUser, type Person } from '../service/factories.ts';
import { type Answer, type TestService, withKey, withSession } from '../service/harness.ts';

export const SAMPLE_PLAN = `# Speed up the export

## Why

Exports of large accounts take minutes. Customers give up before the file is there.

## The change

Write rows as they are read. The file is never held in memory.

## Affected repos

- acme/api
- acme/web

## Steps

- [x] Measure the present export in \`src/export/run.ts\`
- [ ] Stream rows from the database
- [ ] Show progress on the page \`web/pages/export.tsx\`

## Verification

Export an account with a million rows and watch the memory.
`;

export interface PostedPlan {
  seriesId: string;
  versionId: string;
  version: number;
  status: string;
  updatedAt: string;
}

export async function postPlan(
  service: TestService,
  author: Person,
  fields: Record<string, unknown> = {},
): Promise<Answer & { body: PostedPlan }> {
  return service.request('POST', '/api/v2/plans', {
    as: withKey(author),
    body: { seriesKey: randomUUID(), content: SAMPLE_PLAN, agentVendor: 'claude-code', ...fields },
  });
}

/** A second member of Acme, who may approve what the first one posted. */
export async function makeColleague({ acme, clock, db }: TestService): Promise<Person> {
  const user = await makeUser(db, { name: 'Colleague', email: 'colleague@acme.example' }, clock.now());
  return makePerson(db, acme.id, user, 'member', clock.now());
}

/** Another version of the same plan. */
export async function postVersion(
  service: TestService,
  author: Person,
  plan: PostedPlan,
  content: string,
): Promise<PostedPlan> {
  return (await postPlan(service, author, { seriesKey: plan.seriesId, content })).body;
}

export async function postComment(
  service: TestService,
  author: Person,
  plan: { seriesId: string; versionId: string },
  fields: Record<string, unknown> = {},
): Promise<{ id: string; parentId: string | null }> {
  const answer = await service.request('POST', `/api/v2/plans/${plan.seriesId}/comments`, {
    as: withKey(author),
    body: { body: 'Is that so?', versionId: plan.versionId, ...fields },
  });
  if (answer.status !== 201) throw new Error(`The comment was refused: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** An action of a signed-in person on a plan, such as `approve` or `close`. */
export function act(
  service: TestService,
  person: Person,
  plan: { seriesId: string },
  action: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  return service.request('POST', `/api/v2/plans/${plan.seriesId}/${action}`, {
    as: withSession(person),
    body,
  });
}

export function read(
  service: TestService,
  person: Person,
  plan: { seriesId: string },
  rest = '',
): Promise<Answer> {
  return service.request('GET', `/api/v2/plans/${plan.seriesId}${rest}`, { as: withSession(person) });
}

/** All events of a plan, oldest first, as `kind` and what changed. */
export async function activityOf(service: TestService, person: Person, plan: { seriesId: string }) {
  const { body } = await read(service, person, plan, '/activity?limit=200');
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked at as a client without types does.
  return (body.events as any[]).toReversed();
}
