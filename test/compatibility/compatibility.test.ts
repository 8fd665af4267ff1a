/**
 * The service still replies as it was recorded: every operation, tool, resource and prompt. More fields are fine.
 * `npm run record:compatibility` writes the recordings again.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../../src/operations.ts';
import { createMatcher, createScrubber, type Json } from './placeholders.ts';
import type { Recording } from './recorder.ts';
import { walk } from './walk.ts';

const FOLDER = join(import.meta.dirname, 'recorded');
const HOW = 'If the change is intended, run `npm run record:compatibility` and commit what it writes';
const ENDING = '.json';
/** Recorded only as refused: they need the server of others. */
const ONLY_REFUSED = [
  // A code host.
  ...['connect-code-host', 'finish-github-app', 'get-code-host', 'change-code-host', 'test-code-host'],
  ...['disconnect-code-host', 'list-host-repositories', 'add-host-repositories', 'remove-host-selection'],
  ...['list-connected-repositories', 'change-host-repository', 'list-host-accounts', 'link-host-account'],
  'follow-team-of-host',
  ...['unlink-host-account', 'start-host-account-link', 'finish-host-account-link', 'receive-host-webhook'],
  // An identity provider.
  ...['start-single-sign-on', 'finish-single-sign-on', 'start-identity-link', 'change-single-sign-on'],
  ...['test-single-sign-on', 'unlink-identity', 'receive-logout'],
  // A model and a mail server.
  ...['test-model', 'send-test-mail', 'create-invitation-link', 'look-up-invitation-link'],
  ...['request-invitation', 'revoke-invitation-link'],
  // A pull request that stays open for the rest of the walk; their reply is that of get-pull-request.
  ...[
    'merge-pull-request',
    'revert-pull-request',
    'update-head-branch',
    'delete-head-branch',
    'restore-head-branch',
  ],
  'resolve-merge-conflicts',
  // It would move the head that the rest of the walk is about.
  'apply-suggestions',
];

/** Tools that only commands call. */
const UNLISTED = ['check_push'];

const { end, places, recordings } = await walk();
if (process.env.UPDATE_COMPATIBILITY === 'true') await write();
const files = (await readdir(FOLDER)).filter((name) => name.endsWith(ENDING)).toSorted();
const recorded = new Map<string, Recording>();
for (const name of files)
  recorded.set(name.slice(0, -ENDING.length), JSON.parse(await readFile(join(FOLDER, name), 'utf8')));

test('the walk reaches its end', () => {
  if (end.status === 'rejected') throw end.reason;
});

test('everything is recorded', () => {
  const tools = end.status === 'fulfilled' ? end.value : [];
  const present = [...operations.map(({ name }) => name), ...tools, ...UNLISTED, 'prompts', 'resources'];
  expect([...recorded.keys()].toSorted(), `Call it in the walk. ${HOW}`).toEqual(present.toSorted());
});

test('every operation succeeds, except those that need a server of others', () => {
  const isSuccess = (exchange: Json) => (exchange as { reply: { status: number } }).reply.status < 400;
  const refused = operations.filter(({ name }) => !recorded.get(name)?.exchanges.some(isSuccess));
  expect(refused.map(({ name }) => name).toSorted()).toEqual(ONLY_REFUSED.toSorted());
});

// In the order of the walk: the first difference is often the cause of the others.
const matches = createMatcher(places);
const order = [...recordings.keys(), ...[...recorded.keys()].filter((name) => !recordings.has(name))];
test.each(order.filter((name) => recorded.has(name) && isReached(name)))('%s', (name) => {
  const { exchanges, ...rest } = recorded.get(name)!;
  const now = recordings.get(name);
  // A walk that ended early has only the first of them.
  const made = end.status === 'rejected' ? exchanges.slice(0, now!.exchanges.length) : exchanges;
  const differences = matches({ ...rest, exchanges: made }, now as unknown as Json, name);
  expect(differences, HOW).toEqual([]);
});

function isReached(name: string): boolean {
  return end.status === 'fulfilled' || recordings.has(name);
}

async function write(): Promise<void> {
  if (end.status === 'rejected') throw end.reason;
  const scrub = createScrubber(places);
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, recording] of recordings)
    await writeFile(
      join(FOLDER, name + ENDING),
      `${JSON.stringify(scrub(recording as unknown as Json, name), null, 2)}\n`,
    );
}
