/** `countersign pull-request`: opens, lists and closes pull requests of plain git from the command line. */
import { z } from 'zod';
import { Email } from '../../features/accounts/index.ts';
import {
  BY_SERVICE,
  LIMITS,
  type NewPullRequest,
  openPlainGit,
  PULL_REQUEST_STATES,
  presentPullRequestSummary,
  selectPullRequestByNumber,
  selectPullRequests,
  withPullRequestAs,
} from '../../features/pull-requests/index.ts';
import { operatorIn } from '../../features/repositories/index.ts';
import { openMirrors } from '../../open-mirrors.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { announceOnce } from '../../platform/live/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { checkedOption, findOrganizationOf, findUser, ORGANIZATION_OPTION } from './check-option.ts';
import { findPlace } from './find-place.ts';
import { refreshHere } from './refresh-here.ts';

const REPOSITORY_OPTION = {
  name: 'repository',
  value: 'name',
  required: true,
  meaning: 'The repository: owner/name, or only the last part.',
};
const STATES = z.enum(['active', ...PULL_REQUEST_STATES, 'all']);
const Title = z.string().trim().min(1, 'is required').max(LIMITS.titleCharacters, 'is too long');
const PullRequestNumber = z.coerce.number('must be a number').int().min(1).max(2_147_483_647);
/** Lists are printed without paging. */
const MAX_SHOWN = 100_000;
/** The operator isn't a member, so no pull request is theirs. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export const pullRequestOpen: Command = {
  name: 'pull-request open',
  summary: 'Open a pull request between two branches',
  detail:
    'For repositories that are not connected to a code host. Fetches the repository first, and prints the number\nof the new pull request and the address of its page.',
  options: [
    REPOSITORY_OPTION,
    { name: 'head', value: 'branch', required: true, meaning: 'The branch with the changes.' },
    { name: 'base', value: 'branch', meaning: 'The branch to merge into (default: the default branch).' },
    { name: 'title', value: 'text', required: true, meaning: 'The title.' },
    { name: 'description', value: 'text', meaning: 'The description, in Markdown.' },
    {
      name: 'reviewer',
      value: 'names',
      meaning: 'Members and teams to ask for a review, separated by commas: ada,core.',
    },
    { name: 'draft', meaning: 'Open it as a draft.' },
    { name: 'email', value: 'address', meaning: 'The author, if it is one of the users.' },
    ORGANIZATION_OPTION,
    JSON_OPTION,
  ],
  example:
    'countersign pull-request open --repository acme/api --head feature --base main --title "Add search"',
  quiet: true,
  async run(call) {
    const title = checkedOption(call, 'title', Title);
    const opened = await withDatabase(call, async (db) => {
      const place = await findPlace(db, call, 'repository');
      const author = await authorOf(db, call);
      await refreshHere(call, db, place);
      return openOne(call, db, author, title);
    });
    print(call.options.json ? printableJson(opened) : `${opened.number}\n${opened.url}`);
  },
};

export const pullRequestList: Command = {
  name: 'pull-request list',
  summary: 'List the pull requests of a repository',
  options: [
    REPOSITORY_OPTION,
    { name: 'state', value: 'state', meaning: `One of ${STATES.options.join(', ')} (default: active).` },
    ORGANIZATION_OPTION,
    JSON_OPTION,
  ],
  positional: 'repository',
  example: 'countersign pull-request list acme/api',
  quiet: true,
  async run(call) {
    const state = call.options.state === undefined ? 'active' : checkedOption(call, 'state', STATES);
    const found = await withDatabase(call, async (db) => {
      const { organizationId, repositoryId } = await findPlace(db, call, 'repository');
      const operator = { ...operatorIn(organizationId), userId: NOBODY };
      const filter = { scope: 'all', state, repositoryId, openDiscussions: false, limit: MAX_SHOWN } as const;
      return (await selectPullRequests(db, operator, filter)).map(presentPullRequestSummary);
    });
    if (call.options.json) return print(printableJson(found));
    printRows(
      found.map((each) => ({
        number: String(each.number),
        state: each.state,
        title: each.title,
        author: each.author.name,
        head: each.headBranch,
        base: each.baseBranch,
        updatedAt: each.updatedAt,
      })),
      { json: false, empty: 'No pull requests.' },
    );
  },
};

export const pullRequestClose: Command = {
  name: 'pull-request close',
  summary: 'Close a pull request without merging it',
  options: [
    REPOSITORY_OPTION,
    { name: 'number', value: 'number', required: true, meaning: 'The number of the pull request.' },
    ORGANIZATION_OPTION,
  ],
  example: 'countersign pull-request close --repository acme/api --number 3',
  quiet: true,
  async run(call) {
    const number = checkedOption(call, 'number', PullRequestNumber);
    await withDatabase(call, async (db) => {
      const { organizationId, repository } = await findPlace(db, call, 'repository');
      const name = printable(repository.name);
      const found = await selectPullRequestByNumber(db, organizationId, repository.id, number);
      if (!found) throw new StartFailure('refused', `${name} has no pull request #${number}`);
      if (found.origin === 'host')
        throw new StartFailure('refused', `close it on its code host: ${found.url}`);
      const topics: string[] = [];
      const closed = await withPullRequestAs(
        { db, announce: (topic) => void topics.push(topic) },
        { ...BY_SERVICE, organizationId },
        found.id,
        systemClock.now(),
        async (change) =>
          change.pullRequest.state !== 'merged' && change.setState('closed', { reason: 'by_hand' }),
      );
      for (const topic of topics) await announceOnce(db, topic);
      if (!closed) throw new StartFailure('refused', `${name}#${number} is ${found.state} already`);
      print(`Closed ${name}#${number}.`);
    });
  },
};

/** With the repository as it is after the fetch. */
async function openOne(call: Call, db: Db, author: NewPullRequest['author'], title: string) {
  const { organizationId, repository } = await findPlace(db, call, 'repository');
  const secrets = await openSecrets({ db, file: call.config.secretFile });
  const mirrors = openMirrors({ config: call.config, db, log: call.log, secrets, announce: () => undefined });
  const optional = (name: string) => (call.options[name] === undefined ? undefined : textOption(call, name));
  try {
    const caller = { organizationId, userId: 'operator', credentialId: 'operator' };
    const { id, number, topics } = await openPlainGit(
      { db, code: mirrors.code, call: { caller, signal: call.stopped }, now: systemClock.now() },
      { source: { ...BY_SERVICE, userId: author.userId }, author, organizationId },
      repository,
      {
        head: textOption(call, 'head'),
        base: optional('base'),
        title,
        description: optional('description'),
        draft: call.options.draft === true,
        reviewers: optional('reviewer')
          ?.split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      },
    );
    for (const topic of topics) await announceOnce(db, topic);
    const url = `${call.config.baseUrl}/pull-requests/${id}`;
    return { id, number, repository: repository.name, title, url };
  } finally {
    await mirrors.close();
  }
}

async function authorOf(db: Db, call: Call): Promise<NewPullRequest['author']> {
  const by = { kind: 'person' as const, accountId: null };
  if (call.options.email === undefined) return { ...by, userId: null, name: 'Operator' };
  const user = await findUser(db, checkedOption(call, 'email', Email));
  await findOrganizationOf(db, call, user);
  return { ...by, userId: user.id, name: user.name };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
