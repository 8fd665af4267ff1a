/** `countersign repo`: manages repositories from the command line. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { operatorOf, recordAudit } from '../../features/audit/index.ts';
import {
  acceptName,
  acceptRemoteUrl,
  createRepository,
  dropRepository,
  operatorIn,
  presentRepositories,
  selectRepositories,
  Visibility,
} from '../../features/repositories/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { announceOnce } from '../../platform/live/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { agrees } from '../terminal/agrees.ts';
import { printRows } from '../terminal/print-table.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { checkedOption, findOrganization, ORGANIZATION_OPTION } from './check-option.ts';
import { describeRepository, stateOf, summaryOf } from './describe-repository.ts';
import { findPlace, noSuchRepository } from './find-place.ts';
import {
  isServiceFetching,
  type RepositoryPlace,
  readRepository,
  refreshHere,
  type ShownRepository,
} from './refresh-here.ts';
import { readCredential } from './repo-credential.ts';

const NAME_OPTION = {
  name: 'name',
  value: 'name',
  required: true,
  meaning: 'The repository: owner/name, or only the last part.',
};

/** Lists are printed without paging. */
const MAX_REPOSITORIES = 100_000;

export const repoAdd: Command = {
  name: 'repo add',
  summary: 'Add a repository and clone it',
  detail:
    'Takes an HTTPS, SSH or git URL, or a folder on this machine. This command clones the repository;\nfrom then on the service keeps it up to date.',
  options: [
    { name: 'url', value: 'url or path', required: true, meaning: 'The URL or folder to clone.' },
    {
      name: 'name',
      value: 'owner/name',
      meaning: "The repository's name (default: from the end of the URL).",
    },
    { name: 'visibility', value: 'who', meaning: 'Who can see it: organization (default) or members.' },
    { name: 'username', value: 'name', meaning: 'The user name for --password-stdin.' },
    { name: 'password-stdin', meaning: 'Read a password or access token from standard input.' },
    {
      name: 'ssh-key-file',
      value: 'file',
      meaning: 'A private key in OpenSSH format, without a passphrase.',
    },
    ORGANIZATION_OPTION,
    JSON_OPTION,
  ],
  positional: 'url',
  example: 'countersign repo add https://example.com/acme/api.git',
  quiet: true,
  async run(call) {
    const visibility =
      call.options.visibility === undefined ? 'organization' : checkedOption(call, 'visibility', Visibility);
    const credential = await readCredential(call);
    // The operator may fetch from any host that this machine can reach.
    const rules = { allowLocal: true, allowPrivateAddresses: true, ownFolder: call.config.dataDir };
    const url = await acceptRemoteUrl(await wholePath(textOption(call, 'url')), credential, rules);
    const name = acceptName(call.options.name === undefined ? undefined : textOption(call, 'name'), url);
    await withPatientDatabase(call, async (db, patiently) => {
      const organization = await findOrganization(db, call);
      const secrets = await openSecrets({ db, file: call.config.secretFile });
      const source = operatorOf(organization.id, systemClock.now());
      const wanted = { name, url, credential, visibility, memberIds: [], addedByOperator: true };
      const repositoryId = await createRepository(db, secrets, wanted, source);
      const place = { organizationId: organization.id, repositoryId };
      const done = await patiently(() =>
        refreshUnlessStopped(call, db, place, {
          alone: `${printable(name)} was added. The service will clone it when it runs. To undo: countersign repo remove ${printable(name)}`,
          byService: `${printable(name)} was added. The service continues to clone it; to see how far it is: countersign repo status ${printable(name)}`,
        }),
      );
      printOutcome(call, done, name, 'added');
    });
  },
};

export const repoList: Command = {
  name: 'repo list',
  summary: 'List the repositories',
  options: [ORGANIZATION_OPTION, JSON_OPTION],
  example: 'countersign repo list',
  quiet: true,
  async run(call) {
    const repositories = await withDatabase(call, async (db) => {
      const operator = operatorIn((await findOrganization(db, call)).id);
      return presentRepositories(
        db,
        operator,
        await selectRepositories(db, operator, { limit: MAX_REPOSITORIES }),
      );
    });
    if (call.options.json) return print(printableJson(repositories));
    printRows(
      repositories.map((each) => ({
        name: each.name,
        state: stateOf(each),
        defaultBranch: each.defaultBranch,
        branches: String(each.branchCount),
        tags: String(each.tagCount),
        refreshedAt: each.refreshedAt,
        url: each.url,
      })),
      { json: false, empty: 'No repositories. To add one: countersign repo add URL' },
    );
  },
};

export const repoStatus: Command = {
  name: 'repo status',
  summary: 'Show repository status',
  options: [NAME_OPTION, ORGANIZATION_OPTION, JSON_OPTION],
  positional: 'name',
  example: 'countersign repo status acme/api',
  quiet: true,
  async run(call) {
    const repository = await withDatabase(call, async (db) =>
      readRepository(db, await findPlace(db, call, 'name')),
    );
    if (!repository) throw noSuchRepository(call, 'name');
    print(call.options.json ? printableJson(repository) : describeRepository(repository));
  },
};

export const repoRefresh: Command = {
  name: 'repo refresh',
  summary: 'Fetch a repository now',
  detail: 'If the service is already fetching it, its progress is shown.',
  options: [NAME_OPTION, ORGANIZATION_OPTION, JSON_OPTION],
  positional: 'name',
  example: 'countersign repo refresh acme/api',
  quiet: true,
  async run(call) {
    await withPatientDatabase(call, async (db, patiently) => {
      const place = await findPlace(db, call, 'name');
      const before = await readRepository(db, place);
      if (!before) throw noSuchRepository(call, 'name');
      const { name } = before;
      if (before.url === null) {
        throw new StartFailure('refused', `${name} has no URL to fetch from. Set one in the web app.`);
      }
      await recordAudit(db, operatorOf(place.organizationId, systemClock.now()), {
        action: 'repository.refreshed',
        subjectId: place.repositoryId,
        subjectName: name,
      });
      const done = await patiently(() =>
        refreshUnlessStopped(call, db, place, {
          alone: `${printable(name)} was not changed. The service will fetch it at the next scheduled time.`,
          byService: `The service continues to fetch ${printable(name)}; to see how far it is: countersign repo status ${printable(name)}`,
        }),
      );
      printOutcome(call, done, name, 'refreshed');
    });
  },
};

export const repoRemove: Command = {
  name: 'repo remove',
  summary: 'Remove a repository and its files',
  detail:
    "The origin is not changed, and plans keep the repository's name. You can add the repository again later.",
  options: [NAME_OPTION, { name: 'yes', meaning: 'Do not ask for confirmation.' }, ORGANIZATION_OPTION],
  positional: 'name',
  example: 'countersign repo remove acme/api',
  quiet: true,
  async run(call) {
    const { config, log } = call;
    if (!call.options.yes && !process.stdin.isTTY) {
      throw new StartFailure(
        'usage',
        'repo remove asks for confirmation, which needs a terminal. Use --yes to skip it.',
      );
    }
    const name = await withDatabase(call, async (db) => {
      const place = await findPlace(db, call, 'name');
      const repository = await readRepository(db, place);
      if (!repository) throw noSuchRepository(call, 'name');
      if (
        !call.options.yes &&
        !(await agrees(`Remove ${printable(repository.name)} and its files?`, call.stopped))
      ) {
        throw new StartFailure('refused', `${repository.name} was not removed`);
      }
      await dropRepository(db, place.repositoryId, operatorOf(place.organizationId, systemClock.now()));
      // Before the local files are deleted, so that a running service releases them.
      await announceOnce(db, place.repositoryId);
      const secrets = await openSecrets({ db, file: config.secretFile });
      const { openMirrors } = await import('../../open-mirrors.ts');
      const mirrors = openMirrors({ config, db, log, secrets, announce: () => undefined });
      await mirrors.remove(place.repositoryId).finally(() => mirrors.close());
      return repository.name;
    });
    print(`Removed ${printable(name)}.`);
  },
};

/** Resolves a path relative to the working directory. */
async function wholePath(text: string): Promise<string> {
  const path = resolve(text);
  const isFolder =
    !/^[\w+.-]+:/.test(text) &&
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ));
  return isFolder ? path : text;
}

type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

/** Interrupted work still has to record that it stopped, so the database stays open for it. */
function withPatientDatabase(
  call: Call,
  use: (db: Db, patiently: Patiently) => Promise<void>,
): Promise<void> {
  const impatient = new AbortController();
  let working = false;
  call.stopped.addEventListener('abort', () => {
    if (!working) impatient.abort(call.stopped.reason);
  });
  return withDatabase({ ...call, stopped: impatient.signal }, (db) =>
    use(db, async (work) => {
      call.stopped.throwIfAborted();
      working = true;
      try {
        return await work();
      } finally {
        working = false;
      }
    }),
  );
}

/** Says what happens to the refresh when the command is stopped, by who does it. */
async function refreshUnlessStopped(
  call: Call,
  db: Db,
  place: RepositoryPlace,
  { alone, byService }: { alone: string; byService: string },
): Promise<ShownRepository | undefined> {
  try {
    return await refreshHere(call, db, place);
  } catch (error) {
    if (call.stopped.aborted) {
      const isByService = await isServiceFetching(db, place);
      process.stderr.write(`Stopped. ${isByService ? byService : alone}\n`);
    }
    throw error;
  }
}

function printOutcome(
  call: Call,
  repository: ShownRepository | undefined,
  name: string,
  action: string,
): void {
  if (!repository) throw new StartFailure('refused', `${name} was removed meanwhile`);
  if (call.options.json) print(printableJson(repository));
  if (repository.problem) {
    throw new StartFailure(
      'refused',
      `${repository.name} could not be fetched. ${repository.problem.message}\nTo see the next attempt: countersign repo status ${repository.name}`,
    );
  }
  if (!call.options.json) print(`${printable(repository.name)} was ${action}: ${summaryOf(repository)}.`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
