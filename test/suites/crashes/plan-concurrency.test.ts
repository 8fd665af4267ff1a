/**
 * Fifty concurrent writers on one plan, on two nodes: versions and events are numbered without gaps or duplicates, nothing
 * is lost or repeated, and the recorded changes explain the status. A few seeded rounds here; a hundred with
 * `npm run test:concurrency`.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startAnotherNode } from '../../helpers/service/another-node.ts';
import { type Answer, startTestService, withKey, withSession } from '../../helpers/service/harness.ts';

const ROUNDS = Number(process.env.CONCURRENCY_ROUNDS ?? 3);
const WRITERS = 50;
const SEED = 20261115;

const service = await startTestService();
const second = await startAnotherNode(service);
const { acme, db } = service;
const people = [acme.member, acme.admin, acme.owner];

interface Action {
  kind:
    | 'version'
    | 'same-version'
    | 'comment'
    | 'triage'
    | 'link'
    | 'approve'
    | 'withdraw'
    | 'close'
    | 'reopen'
    | 'changes';
  person: number;
  node: number;
  choice: number;
}

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Action['kind']>(
      ...(['version', 'version', 'same-version', 'comment', 'comment', 'comment', 'triage', 'link'] as const),
      ...(['approve', 'withdraw', 'close', 'reopen', 'changes'] as const),
    ),
    person: fc.nat(people.length - 1),
    node: fc.nat(1),
    choice: fc.nat(4),
  }),
  { minLength: WRITERS, maxLength: WRITERS },
);

async function send(node: number, method: string, path: string, body: unknown, as: object): Promise<Answer> {
  const credential = as as { key?: string; session?: string };
  const response = await fetch((node === 0 ? service.url : second.url) + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(credential.key && { 'x-api-key': credential.key }),
      ...(credential.session && { cookie: `countersign=${credential.session}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

async function perform(
  seriesId: string,
  first: { versionId: string; commentId: string },
  action: Action,
  index: number,
) {
  const person = people[action.person]!;
  const base = `/api/v2/plans/${seriesId}`;
  const key = withKey(person) as object;
  const session = withSession(person) as object;
  const plan = { seriesKey: seriesId, agentVendor: 'codex' };
  switch (action.kind) {
    case 'version':
      return send(
        action.node,
        'POST',
        '/api/v2/plans',
        { ...plan, content: `# Version by writer ${index}` },
        key,
      );
    case 'same-version':
      return send(action.node, 'POST', '/api/v2/plans', { ...plan, content: '# The same' }, key);
    case 'comment':
      return send(
        action.node,
        'POST',
        `${base}/comments`,
        { body: `By ${index}`, versionId: first.versionId },
        key,
      );
    case 'triage':
      return send(
        action.node,
        'PATCH',
        `${base}/comments/${first.commentId}`,
        { triageState: action.choice % 2 === 0 ? 'open' : 'dismissed' },
        key,
      );
    case 'link':
      return send(action.node, 'POST', `${base}/pull-requests`, { prNumber: action.choice + 1 }, key);
    case 'approve':
      return send(action.node, 'POST', `${base}/approve`, { versionId: first.versionId }, session);
    case 'changes':
      return send(
        action.node,
        'POST',
        `${base}/request-changes`,
        { versionId: first.versionId, note: 'x' },
        session,
      );
    case 'withdraw':
      return send(action.node, 'POST', `${base}/withdraw-approval`, {}, session);
    case 'close':
      return send(action.node, 'POST', `${base}/close`, {}, session);
    case 'reopen':
      return send(action.node, 'POST', `${base}/reopen`, {}, session);
  }
}

async function round(all: Action[]): Promise<void> {
  const seriesId = randomUUID();
  const made = await service.request('POST', '/api/v2/plans', {
    as: withKey(acme.member),
    body: { seriesKey: seriesId, content: '# First', agentVendor: 'codex' },
  });
  const { versionId } = made.body;
  const comment = await service.request('POST', `/api/v2/plans/${seriesId}/comments`, {
    as: withKey(acme.member),
    body: { body: 'First.', versionId },
  });
  const first = { versionId, commentId: comment.body.id };
  const answers = await Promise.all(all.map((action, index) => perform(seriesId, first, action, index)));

  for (const [index, answer] of answers.entries()) {
    expect([200, 201, 403, 409], `${all[index]!.kind}: ${JSON.stringify(answer.body)}`).toContain(
      answer.status,
    );
  }
  const done = (kind: Action['kind']) =>
    answers.filter((answer, index) => all[index]!.kind === kind && answer.status < 300);
  const posted = [...done('version'), ...done('same-version')].map(({ body }) => body.version as number);
  expect(posted.toSorted((a, b) => a - b)).toEqual(posted.map((_, index) => index + 2));

  const plan = await db
    .selectFrom('plans')
    .selectAll()
    .where('series_id', '=', seriesId)
    .executeTakeFirstOrThrow();
  const versions = await db
    .selectFrom('plan_versions')
    .select(['version', 'content', 'unchanged', 'id'])
    .where('plan_id', '=', plan.id)
    .orderBy('version')
    .execute();
  expect(versions.map(({ version }) => version)).toEqual(
    Array.from({ length: posted.length + 1 }, (_, n) => n + 1),
  );
  expect([plan.version, plan.version_id]).toEqual([versions.length, versions.at(-1)!.id]);
  for (const [index, version] of versions.entries()) {
    expect(version.unchanged).toBe(index > 0 && versions[index - 1]!.content === version.content);
  }

  const events = await db
    .selectFrom('events')
    .select(['number', 'kind', 'data'])
    .where('subject_id', '=', plan.id)
    .orderBy('number')
    .execute();
  expect(events.map(({ number }) => Number(number))).toEqual(events.map((_, index) => index + 1));
  expect(Number(plan.last_event)).toBe(events.length);

  let status = 'pending';
  for (const { data, kind } of events) {
    if (kind !== 'status_changed') continue;
    const { from, to } = data as { from: string; to: string };
    expect(from).toBe(status);
    status = to;
  }
  expect(plan.status).toBe(status);

  const comments = await db.selectFrom('plan_comments').select('id').where('plan_id', '=', plan.id).execute();
  expect(comments.map(({ id }) => id).toSorted()).toEqual(
    [first.commentId, ...done('comment').map(({ body }) => body.id as string)].toSorted(),
  );
  expect(plan.comment_count).toBe(comments.length);
  expect(events.filter(({ kind }) => kind === 'comment_added')).toHaveLength(comments.length);

  const links = await db
    .selectFrom('plan_pull_requests')
    .select('number')
    .where('plan_id', '=', plan.id)
    .execute();
  const linked = new Set(all.filter(({ kind }) => kind === 'link').map(({ choice }) => choice + 1));
  expect(links.map(({ number }) => number).toSorted()).toEqual([...linked].toSorted());
}

describe(`${WRITERS} writers on one plan at once`, () => {
  it.each(fc.sample(actions, { numRuns: ROUNDS, seed: SEED }).map((all, index) => [index + 1, all] as const))(
    'leave everything in order, round %i',
    async (_, all) => round(all),
  );

  it.each(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    'make one plan of one new series: one 201, the rest 200, round %i',
    async () => {
      const seriesKey = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: WRITERS }, (_, index) => {
          const content = `# By ${index % 3}`;
          const key = withKey(people[index % people.length]!) as object;
          return send(index % 2, 'POST', '/api/v2/plans', { seriesKey, content, agentVendor: 'codex' }, key);
        }),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(WRITERS - 1).fill(200), 201]);
      expect(answers.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: WRITERS }, (_, index) => index + 1),
      );
      const plans = await db.selectFrom('plans').select('id').where('series_id', '=', seriesKey).execute();
      expect(plans).toHaveLength(1);
    },
  );
});
