/** `countersign init`: from a clone to a running service with this repository, a person, a key and connected agents; and back. */
import { readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type CloneHere, cloneAt } from '../../engines/git/index.ts';
import {
  anyOrganization,
  createFirstOrganization,
  Email,
  NO_PASSWORD,
  PersonName,
  selectMembers,
  selectOrganizations,
  signInHere,
} from '../../features/accounts/index.ts';
import { generateApiKey } from '../../features/api-keys/index.ts';
import { operatorOf } from '../../features/audit/index.ts';
import {
  acceptName,
  acceptRemoteUrl,
  createRepository,
  operatorIn,
  resolveRepository,
  selectRepository,
} from '../../features/repositories/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { systemClock } from '../../platform/core/text/clock.ts';
import { type Db, hasEmbeddedDatabase, inTransaction } from '../../platform/db/index.ts';
import { announceOnce } from '../../platform/live/index.ts';
import { openSecrets } from '../../platform/secrets/index.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { howStarted } from '../terminal/how-started.ts';
import { printable } from '../terminal/printable.ts';
import { AGENTS, connectAgent, disconnectAgent, findAgents } from './agent-programs.ts';
import { openSignedIn } from './open-signed-in.ts';
import {
  forgetService,
  readSavedService,
  type SavedService,
  saveService,
  withDataDir,
} from './saved-service.ts';
import { LOG_FILE, startInBackground, stopInBackground } from './service-in-background.ts';

const KEY_NAME = 'countersign init';
const MAX_MEMBERS = 1000;

export const init: Command = {
  name: 'init',
  summary: 'Set up Countersign for yourself, with the repository you are in',
  detail: `Starts the service in the background if it isn't running, creates your account and a key, adds the repository, offers
to connect the coding agents on this machine, and opens the browser. Without a terminal it asks nothing and opens no
browser. Run it in every repository that you want to add. Its data is below ~/.local/share/countersign, or in DATA_DIR.
To stop the service until the next init: countersign init --stop. To remove everything: countersign init --remove`,
  options: [
    { name: 'name', value: 'name', meaning: 'Your name (default: asked for, else from git).' },
    {
      name: 'agents',
      value: 'names',
      meaning: `The agents to connect without asking, separated by commas: ${Object.keys(AGENTS).join(', ')}, or none.`,
    },
    { name: 'no-browser', meaning: 'Print the address instead of opening it.' },
    { name: 'stop', meaning: 'Stop the service and keep its data; init starts it again.' },
    { name: 'remove', meaning: 'Stop the service, disconnect the agents and delete all data.' },
    { name: 'yes', meaning: 'Do not ask for confirmation.' },
  ],
  example: 'cd my-project && countersign init',
  quiet: true,
  createsDatabase: true,
  async run(given) {
    const call = inOwnFolder(given);
    if (call.options.remove) return remove(call);
    if (call.options.stop) return stop(call);
    const clone = await cloneAt(process.cwd(), call.stopped, call.environment.HOME);
    if (!clone)
      throw new StartFailure('refused', 'this folder is not inside a git repository. Run it in a clone');
    await refuseForeignFolder(call.config.dataDir);
    const saved = await savedIn(call);
    const name = await nameOf(call, clone);
    const { url } = await startInBackground(call);
    const made = await withDatabase({ ...call, create: true }, (db) => prepare(call, db, clone, name));
    const key = made.key ?? saved?.key;
    if (!key)
      throw new StartFailure('refused', `the saved key is gone. Create one at ${url}/settings/api-keys`);
    const agents = new Set(saved?.agents);
    await saveService(call.environment, { url, key, dataDir: call.config.dataDir, agents: [...agents] });
    tell(`Added ${printable(made.repository)}; its code is being indexed.`);
    for (const agent of await chooseAgents(call)) {
      tell(await connectAgent(agent, url, call.environment));
      agents.add(agent);
    }
    await saveService(call.environment, { url, key, dataDir: call.config.dataDir, agents: [...agents] });
    const program = howStarted(call.environment);
    tell(`To post a plan: ${program} plan post plan.md`);
    tell(`The service keeps running in the background. To stop it: ${program} init --stop`);
    if (made.session) await openSignedIn(call, { url, token: made.session });
    else tell(`Countersign runs at ${url}. To sign in there, run this in a terminal: ${program} init`);
  },
};

/** With a data folder of the user's own, unless another one is set. */
function inOwnFolder(call: Call): Call {
  const { DATABASE_URL, DATA_DIR, HOME, XDG_DATA_HOME } = call.environment;
  if (DATABASE_URL)
    throw new StartFailure(
      'refused',
      'init uses its own database: unset DATABASE_URL, or see countersign setup',
    );
  if (DATA_DIR) return call;
  const dataDir = join(XDG_DATA_HOME || join(HOME || homedir(), '.local', 'share'), 'countersign');
  return { ...call, config: withDataDir(call.config, call.environment, dataDir) };
}

async function nameOf(call: Call, { user }: CloneHere): Promise<string> {
  const given = textOption(call, 'name') || (await ask('Your name', user.name)) || user.name;
  const name = PersonName.safeParse(given ?? '');
  if (!name.success) throw new StartFailure('usage', 'give your name with --name');
  return name.data;
}

interface Prepared {
  /** The secret of a key that was created now. */
  key: string | undefined;
  /** For the browser; undefined if there is nobody to open it. */
  session: string | undefined;
  repository: string;
}

/** The person, their key and the repository, each only if it is missing. */
async function prepare(call: Call, db: Db, clone: CloneHere, name: string): Promise<Prepared> {
  const at = systemClock.now();
  let key: string | undefined;
  if (!(await anyOrganization(db))) {
    const email = Email.safeParse(clone.user.email ?? '');
    const person = {
      organizationName: `${name.slice(0, 90)}’s team`,
      name,
      email: email.success ? email.data : 'owner@countersign.example',
      // The browser is signed in by this command; `user reset-password` sets a password.
      passwordHash: NO_PASSWORD,
    };
    await inTransaction(db, (transaction) =>
      createFirstOrganization(transaction, person, (id) => operatorOf(id, at), at),
    );
  }
  const owner = await findOwner(db);
  if (!owner) throw new StartFailure('refused', 'the service has no active owner. See countersign user list');
  const source = operatorOf(owner.organizationId, at);
  if (!(await savedIn(call))) key = (await generateApiKey(db, owner, KEY_NAME, source)).secret;
  const session = hasTerminal() ? await signInHere(db, owner, at, call.config.sessionLife) : undefined;
  return { key, session, repository: await addClone(call, db, clone, owner.organizationId) };
}

/** The first active owner by name: the person who set it up, if it is a service for one person. */
async function findOwner(db: Db) {
  const [organization] = await selectOrganizations(db, 1);
  if (!organization) return undefined;
  const members = await selectMembers(db, organization.id, { limit: MAX_MEMBERS });
  const owner = members.find(({ deactivated_at, role }) => role === 'owner' && deactivated_at === null);
  return owner && { organizationId: organization.id, userId: owner.id };
}

async function addClone(call: Call, db: Db, clone: CloneHere, organizationId: string): Promise<string> {
  const rules = { allowLocal: true, allowPrivateAddresses: true, ownFolder: call.config.dataDir };
  const url = await acceptRemoteUrl(clone.top, null, rules);
  const name = acceptName(clone.name, url);
  const found = await resolveRepository(db, operatorIn(organizationId), name);
  if (found.kind === 'one') {
    const { id, name: taken } = found.repository;
    const added = await selectRepository(db, operatorIn(organizationId), id);
    if (taken.toLowerCase() === name.toLowerCase() && isOtherFolder(added?.url, url))
      throw new StartFailure(
        'refused',
        `${printable(name)} in Countersign is another clone: ${printable(added!.url!)}. Add this one under another name: ${howStarted(call.environment)} repo add ${printable(clone.top)} --name OWNER/NAME`,
      );
    return taken;
  }
  const secrets = await openSecrets({ db, file: call.config.secretFile });
  const wanted = {
    name,
    url,
    credential: null,
    visibility: 'organization' as const,
    memberIds: [],
    addedByOperator: true,
  };
  const id = await createRepository(db, secrets, wanted, operatorOf(organizationId, systemClock.now()));
  await announceOnce(db, id);
  return name;
}

/** A repository on a server may well be the one that was cloned here. */
function isOtherFolder(added: string | null | undefined, url: string): boolean {
  return added?.startsWith('/') === true && added !== url;
}

/** The named ones, or those on this machine that the user agrees to. */
async function chooseAgents(call: Call): Promise<string[]> {
  const given = textOption(call, 'agents');
  const here = await findAgents(call.environment);
  if (given) {
    const wanted = given === 'none' ? [] : given.split(',').map((name) => name.trim());
    const unknown = wanted.find((name) => !here.includes(name));
    if (unknown) throw new StartFailure('refused', `${printable(unknown)} was not found on this machine`);
    return wanted;
  }
  const chosen: string[] = [];
  for (const agent of here) {
    const answer = await ask(`Connect ${AGENTS[agent]!.title}? (y/n)`, 'y');
    if (answer === undefined)
      tell(`To connect ${AGENTS[agent]!.title}: ${howStarted(call.environment)} init --agents ${agent}`);
    else if (/^y/i.test(answer)) chosen.push(agent);
  }
  return chosen;
}

/** Only from an earlier `init` with the same data folder: a key of another service is of no use. */
async function savedIn({ config, environment }: Call): Promise<SavedService | undefined> {
  const saved = await readSavedService(environment);
  return saved?.dataDir === config.dataDir ? saved : undefined;
}

async function savedHere(call: Call): Promise<SavedService> {
  const saved = await savedIn(call);
  if (!saved)
    throw new StartFailure('refused', `countersign init has set up nothing in ${call.config.dataDir}`);
  return saved;
}

/** `--remove` deletes the whole folder, so nothing of the user's may be in it. An `init` that was stopped, or runs now, left its log. */
async function refuseForeignFolder(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((): string[] => []);
  if (names.length > 0 && !names.includes(LOG_FILE) && !hasEmbeddedDatabase(dataDir))
    throw new StartFailure(
      'refused',
      `${dataDir} has other files in it. Set DATA_DIR to a folder that is empty or doesn't exist`,
    );
}

async function stop(call: Call): Promise<void> {
  await savedHere(call);
  await stopInBackground(call.config.dataDir, call.stopped);
  tell(`The service is stopped. To start it again: ${howStarted(call.environment)} init`);
}

async function remove(call: Call): Promise<void> {
  const saved = await savedHere(call);
  const { dataDir } = call.config;
  if (!call.options.yes) {
    const answer = await ask(`Delete ${dataDir} with all plans, comments and reviews in it? (y/n)`, 'n');
    if (!/^y/i.test(answer ?? ''))
      throw new StartFailure('refused', 'nothing was removed. To remove without a question, add --yes');
  }
  for (const agent of saved.agents) tell(await disconnectAgent(agent, call.environment));
  await stopInBackground(dataDir, call.stopped);
  await rm(dataDir, { recursive: true, force: true });
  await forgetService(call.environment);
  tell('Removed the service and its data.');
}

function hasTerminal(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Undefined when nobody can answer. */
async function ask(question: string, usual?: string): Promise<string | undefined> {
  if (!hasTerminal()) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question(`${question}${usual ? ` [${printable(usual)}]` : ''}: `)).trim() || usual;
  } finally {
    lines.close();
  }
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}
