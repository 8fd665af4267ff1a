/** The demo's pull requests: open, draft, merged and closed ones, with discussions in every status and findings of reviews. */
import type { FixtureFiles } from '../../test/helpers/git/git-fixtures.ts';
import * as code from './code.ts';
import type { DemoPeople, Visitor } from './organization.ts';
import { ADA, type DemoRepositories, GRACE, JOAN, until } from './repositories.ts';
import { type Chapter, DAY, HOUR, MINUTE } from './story.ts';

const DECLINED = `Support gets 40 questions a week about orders that failed without a reason.

- The error names the last four digits of the card.
- The cart shows a message; its wording comes from the error.

The full number is never in the error, the log or the page.`;

const FORMATTER = `\`formatPrice\` assumes English. The new function takes the reader's locale, so that the German shop can show \`11,90 €\`.

A major version: callers pass an object now.`;

const SUPPLIERS = `Prices of suppliers change every night. Today Joan copies them from a spreadsheet.

The import runs at 03:00 and takes about a minute for 40,000 products.`;

/** The ids of those that screenshots show. */
export interface DemoPullRequests {
  /** With discussions of people. */
  declined: string;
  /** It removes a function that another repository calls. */
  formatter: string;
  /** With a leaked key and a test that runs alone. */
  suppliers: string;
}

export async function makeDemoPullRequests(
  { ada, grace, joan, people }: DemoPeople,
  { fetch, hasBranch, origins }: DemoRepositories,
  story: Chapter,
  now: Date,
): Promise<DemoPullRequests> {
  const post = (who: Visitor, path: string, body: object) =>
    people.send(who, 'POST', `/api/v2/pull-requests${path}`, body);
  const read = (id: string, part = '') => people.send(ada, 'GET', `/api/v2/pull-requests/${id}${part}`);
  const push = (
    repository: string,
    branch: string,
    files: FixtureFiles,
    commit: { author: typeof ADA; minutes: number; message: string; from?: string },
  ) =>
    origins[repository]!.commit(files, {
      ...commit,
      branch,
      at: new Date(now.getTime() - commit.minutes * 60_000),
    });
  const open = async (
    who: Visitor,
    repository: string,
    head: string,
    title: string,
    more: object = {},
  ): Promise<string> => {
    await fetch(repository);
    await until(() => hasBranch(repository, head), `the branch ${head}`);
    return (await post(who, '', { repository, head, title, ...more })).id;
  };
  const discuss = async (who: Visitor, id: string, file: string, lines: [number, number?], body: string) =>
    (
      await post(who, `/${id}/discussions`, {
        file,
        startLine: lines[0],
        endLine: lines[1] ?? lines[0],
        body,
      })
    ).id as string;
  const reply = (who: Visitor, discussionId: string, body: string) =>
    people.send(who, 'POST', `/api/v2/discussions/${discussionId}/replies`, { body });
  const resolve = (who: Visitor, discussionId: string) =>
    people.send(who, 'PATCH', `/api/v2/discussions/${discussionId}`, { status: 'resolved' });
  const reviewed = (id: string) =>
    until(async () => {
      const { due, runs } = await read(id, '/review-runs');
      return !due && runs.length > 0;
    }, 'a review');

  await story.at(12 * DAY);
  await push('acme/telemetry', 'keep-accidents', code.KEEP_ACCIDENTS, {
    author: JOAN,
    minutes: 12 * DAY,
    message: 'Keep reports about accidents for five years',
    from: 'main',
  });
  const accidents = await open(
    joan,
    'acme/telemetry',
    'keep-accidents',
    'Keep reports about accidents for five years',
    {
      description: 'Legal asked for it. Everything else is still deleted after 90 days.',
    },
  );
  await story.at(11 * DAY);
  const kinds = await discuss(
    ada,
    accidents,
    'telemetry/store.py',
    [21],
    'Is `accident` the only kind that Legal cares about?',
  );
  await reply(joan, kinds, 'Yes, I asked: near misses are covered by the insurance report.');
  await resolve(ada, kinds);
  await post(ada, `/${accidents}/reviews`, {
    verdict: 'approved',
    note: 'Thanks for asking them.',
    commit: (await read(accidents)).headCommit,
  });
  await reviewed(accidents);
  await story.at(10 * DAY);
  await origins['acme/telemetry']!.git('update-ref', 'refs/heads/main', 'refs/heads/keep-accidents');
  await fetch('acme/telemetry');
  await until(async () => (await read(accidents)).state === 'merged', 'the merge');

  await story.at(8 * DAY);
  await push('acme/web-shop', 'gift-cards', code.GIFT_CARDS, {
    author: GRACE,
    minutes: 8 * DAY,
    message: 'Sketch gift cards',
    from: 'main',
  });
  const gifts = await open(grace, 'acme/web-shop', 'gift-cards', 'Gift cards');
  await reviewed(gifts);
  await story.at(7 * DAY);
  await post(ada, `/${gifts}/comments`, { body: 'Let us plan this first: vouchers are taxed differently.' });
  await people.send(grace, 'PATCH', `/api/v2/pull-requests/${gifts}`, { state: 'closed' });

  await story.at(2 * DAY);
  await push('acme/web-shop', 'declined-cards', code.DECLINED, {
    author: JOAN,
    minutes: 2 * DAY,
    message: 'Tell customers which card was declined\n\nSupport gets 40 questions a week about it.',
    from: 'main',
  });
  const declined = await open(
    joan,
    'acme/web-shop',
    'declined-cards',
    'Tell customers which card was declined',
    {
      description: DECLINED,
    },
  );
  const { user } = await people.send(ada, 'GET', '/api/v2/session');
  await post(joan, `/${declined}/review-requests`, { userIds: [user.id] });
  await reviewed(declined);
  await story.at(26 * HOUR);
  const wording = await discuss(
    grace,
    declined,
    'src/declined.ts',
    [8],
    `Customers see this text. Can it say what to do next?\n\n\`\`\`suggestion\n${code.BETTER_WORDING}\n\`\`\``,
  );
  const order = await discuss(
    grace,
    declined,
    'src/orders.ts',
    [31, 32],
    'If `release` fails, the customer never learns about the card. Throw first, release in `finally`?',
  );
  const hidden = await discuss(ada, declined, 'pages/cart.html', [2], 'Who removes `hidden`?');
  await story.at(22 * HOUR);
  await reply(
    joan,
    order,
    'Then a retry could run before the goods are released. I would rather keep the order.',
  );
  await reply(joan, hidden, 'The script of the theme, when the class of the cart is `failed`.');
  await resolve(ada, hidden);
  await post(grace, `/${declined}/reviews`, {
    verdict: 'changes_requested',
    note: 'Only the wording, then I’m happy.',
  });
  await story.at(5 * HOUR);
  await push('acme/web-shop', 'declined-cards', code.DECLINED_AGAIN, {
    author: JOAN,
    minutes: 5 * HOUR,
    message: 'Say what to do next',
  });
  await fetch('acme/web-shop');
  await until(async () => {
    const { discussions } = await read(declined, '/discussions');
    return discussions.some(
      (each: { id: string; status: string }) => each.id === wording && each.status === 'addressed',
    );
  }, 'the suggestion to count as addressed');

  await story.at(4 * HOUR);
  await push('acme/catalogue', 'supplier-import', code.SUPPLIER_IMPORT, {
    author: JOAN,
    minutes: 4 * HOUR,
    message: 'Import the prices of suppliers every night',
    from: 'main',
  });
  const suppliers = await open(
    joan,
    'acme/catalogue',
    'supplier-import',
    'Import the prices of suppliers every night',
    {
      description: SUPPLIERS,
    },
  );
  await reviewed(suppliers);

  await story.at(90 * MINUTE);
  await push('acme/money', 'one-formatter', code.ONE_FORMATTER, {
    author: ADA,
    minutes: 90 * MINUTE,
    message: 'Format money in the reader’s language',
    from: 'main',
  });
  const formatter = await open(ada, 'acme/money', 'one-formatter', 'Format money in the reader’s language', {
    description: FORMATTER,
  });
  await reviewed(formatter);
  await story.at(40 * MINUTE);
  await post(grace, `/${formatter}/comments`, {
    body: '`web-shop` still imports `formatPrice` in one place. I can change it first.',
  });

  await story.at(25 * MINUTE);
  await push('acme/web-shop', 'one-step-checkout', code.ONE_STEP, {
    author: ADA,
    minutes: 25 * MINUTE,
    message: 'Ask for address and payment on one page',
    from: 'main',
  });
  await open(ada, 'acme/web-shop', 'one-step-checkout', 'Checkout on one page', { draft: true });
  return { declined, formatter, suppliers };
}
