/** The demo's own reviewers: one with rules in two versions, and one with instructions. */
import type { DemoPeople } from './organization.ts';
import { until } from './repositories.ts';
import { type Chapter, DAY } from './story.ts';

const TITLE = 'Time limits of requests';
const EVERY_REQUEST = `id: request-without-time-limit
language: TypeScript
message: This request waits forever if the other side never answers. Pass a signal that ends it.
severity: warning
rule:
  pattern: fetch($$$ARGUMENTS)
`;
const WITHOUT_SIGNAL = `${EVERY_REQUEST}  not:
    has:
      kind: property_identifier
      regex: ^signal$
      stopBy: end
`;
const WORDING = `Read every text that a customer sees: pages, e-mails and errors that reach a page.

- It says what happened and what to do next.
- It blames nobody, and it has no exclamation mark.
- Amounts are formatted by \`@acme/money\`, never by hand.

Ignore logs, tests and comments.`;

/** Returns the id of the one with rules. */
export async function makeDemoReviewers({ ada, grace, people }: DemoPeople, story: Chapter): Promise<string> {
  await story.at(25 * DAY);
  const description = 'Every request to another service has a time limit.';
  const rules = { title: TITLE, description, kind: 'rules', scopes: [{ paths: ['src/**'] }] };
  const { id } = await people.send(grace, 'POST', '/api/v2/reviewers', { ...rules, body: EVERY_REQUEST });
  await people.send(ada, 'POST', '/api/v2/reviewers', {
    title: 'Wording for customers',
    description: 'What customers read is clear, polite and formatted as they expect.',
    kind: 'instructions',
    body: WORDING,
  });
  await story.at(22 * DAY);
  await people.send(grace, 'POST', `/api/v2/reviewers/${id}/versions`, { ...rules, body: WITHOUT_SIGNAL });
  return id;
}

/** Tries the reviewer on earlier pull requests. */
export async function tryDemoReviewer({ grace, people }: DemoPeople, reviewerId: string): Promise<void> {
  const { id } = await people.send(grace, 'POST', '/api/v2/review-trials', { reviewerId });
  await until(async () => {
    const { state } = await people.send(grace, 'GET', `/api/v2/review-trials/${id}`);
    return state === 'done';
  }, 'the trial of a reviewer');
}
