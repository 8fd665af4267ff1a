/** The sample organization's pull request, with discussions and a review. */
import type { SamplePeople, Visitor } from './sample-organization.ts';
import { DAY, HOUR, type Story } from './story.ts';

const DESCRIPTION = `Support gets 40 questions a week about orders that failed without a reason.

- The error names the last four digits of the card.
- The cart shows a message; its wording comes from the error.

The full number is never in the error, the log or the page.`;

/** Returns its ID. */
export async function makeSamplePullRequest(
  { ada, grace, max, people }: SamplePeople,
  story: Story,
): Promise<string> {
  const post = (who: Visitor, path: string, body: object) =>
    people.send(who, 'POST', `/api/v2/pull-requests${path}`, body);
  const { user } = await people.send(ada, 'GET', '/api/v2/session');
  await story.at(2 * DAY);
  const { id } = await post(max, '', {
    repository: 'acme/web-shop',
    head: 'declined-cards',
    title: 'Tell customers which card was declined',
    description: DESCRIPTION,
  });
  await story.at(28 * HOUR);
  await post(max, `/${id}/review-requests`, { userIds: [user.id] });
  await story.at(26 * HOUR);
  await post(grace, `/${id}/discussions`, {
    file: 'src/declined.ts',
    startLine: 8,
    body: 'Customers see this text. Can it say what to do next?\n\n```suggestion\n    super(`The card ending in ${lastFour} was declined. Try another one.`);\n```',
  });
  await post(grace, `/${id}/discussions`, {
    file: 'src/orders.ts',
    startLine: 29,
    endLine: 30,
    body: 'If `release` fails, the customer never learns about the card. Throw first, release in `finally`?',
  });
  await story.at(3 * HOUR);
  const { discussions } = await people.send(max, 'GET', `/api/v2/pull-requests/${id}/discussions`);
  await people.send(max, 'POST', `/api/v2/discussions/${discussions[1].id}/replies`, {
    body: 'Then a retry could run before the goods are released. I would rather keep the order.',
  });
  await post(grace, `/${id}/comments`, {
    body: 'Very welcome: this was our most frequent question in February.',
  });
  await story.at(2 * HOUR);
  await post(grace, `/${id}/reviews`, {
    verdict: 'changes_requested',
    note: 'Only the wording, then I’m happy.',
  });
  return id;
}
