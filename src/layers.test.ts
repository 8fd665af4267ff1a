/** Imports point inward: one rule for each layer, the few features that may know another, and the packages kept in one place. */
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycle, type Import, isWithin, listFolder, readFolder } from '../test/source-files.ts';

/** The folders of `src` that a layer may import. Folders in one layer can't import each other unless SIBLINGS says so. */
const LAYERS: Record<string, { imports: string[]; why: string }> = {
  platform: { imports: [], why: 'the platform knows nothing of what is built on it' },
  client: {
    imports: [],
    why: 'scripts import only the client, so it depends on nothing else here and on no package',
  },
  engines: { imports: ['platform/core'], why: 'engines are machinery that knows no feature and no database' },
  features: {
    imports: ['platform', 'engines', 'context.ts'],
    why: 'features are built on engines and the platform, and know no transport',
  },
  transports: {
    imports: ['platform/core', 'operation-types.ts'],
    why: 'a transport is handed the operations and all else as arguments; of operations it knows the types',
  },
  commands: {
    imports: [
      ...['platform', 'features', 'build-web-app.ts', 'config.ts', 'node.ts', 'open-mirrors.ts'],
      ...['engines/review', 'engines/git', 'operation-types.ts'],
    ],
    why: 'commands start the service or act as the operator; they never go through a transport; in a clone, they ask git about it and review it with the engine alone',
  },
  'config.ts': {
    imports: ['platform/core', 'settings', 'engines/identity-provider'],
    why: 'settings are read before anything else exists; those of single sign-on are also an organization’s',
  },
  settings: {
    imports: ['platform/core', 'engines/identity-provider'],
    why: 'each file describes the settings of one subject; those of single sign-on are also an organization’s',
  },
  'context.ts': {
    imports: ['platform', 'engines/code-hosts', 'engines/identity-provider', 'engines/review'],
    why: 'what an operation receives is made of the platform and of the ports to code hosts, identity providers and reviews',
  },
  'operations.ts': {
    imports: ['platform/core', 'features', 'context.ts'],
    why: 'the table lists operations and nothing else',
  },
  'operation-types.ts': {
    imports: ['platform/core', 'features'],
    why: 'it names the types of contracts and nothing else',
  },
  'jobs.ts': { imports: ['platform', 'features'], why: 'the table lists background work and nothing else' },
  'worker.ts': { imports: ['platform', 'features', 'jobs.ts'], why: 'it runs the jobs it is given' },
  'node.ts': {
    imports: [
      ...['platform', 'features', 'app.ts', 'config.ts', 'context.ts', 'jobs.ts', 'open-mirrors.ts'],
      ...['operations.ts', 'worker.ts'],
    ],
    why: 'it builds a node of the service, the same for production, tests and benchmarks',
  },
  'open-mirrors.ts': {
    imports: ['platform', 'features', 'config.ts'],
    why: 'the service and commands that fetch have the same mirrors',
  },
  'metrics.ts': { imports: ['transports'], why: 'it implements the metrics that http asks for' },
  'build-web-app.ts': { imports: [], why: 'it turns web/ into files and knows nothing of the service' },
  'app.ts': {
    imports: ['platform', 'features', 'transports', 'config.ts', 'context.ts', 'metrics.ts'],
    why: 'the composition root puts the parts together; it is handed the operations',
  },
  'main.ts': {
    imports: ['platform/core', 'config.ts', 'commands'],
    why: 'the process entry only picks a command',
  },
};

/** Folders that may import another of their own layer, through its index.ts. */
const SIBLINGS: Record<string, { imports: string[]; why: string }> = {
  'platform/db': { imports: ['platform/core'], why: 'the driver throws typed errors and reads shapes' },
  'platform/queue': { imports: ['platform/core', 'platform/db'], why: 'jobs are rows' },
  'platform/live': { imports: ['platform/core', 'platform/db'], why: 'other nodes are notified by NOTIFY' },
  'platform/secrets': {
    imports: ['platform/core', 'platform/db'],
    why: 'the secret is checked against a row',
  },
  'platform/backup': {
    imports: ['platform/core', 'platform/db', 'platform/queue', 'platform/secrets'],
    why: 'a backup is made of rows and of the sealed secret, by a job if it is scheduled',
  },
  'platform/idempotency': {
    imports: ['platform/core', 'platform/db', 'platform/queue'],
    why: 'replies are rows, and a job deletes old ones',
  },
  'engines/anchors': { imports: ['engines/text'], why: 'a quote is followed through a difference of texts' },
  'engines/addressed': { imports: ['engines/text'], why: 'a change is judged by a difference of texts' },
  'engines/plan-text': {
    imports: ['engines/text', 'engines/anchors'],
    why: 'a plan is Markdown, and its comments quote it',
  },
  'engines/positions': {
    imports: ['engines/text'],
    why: 'what lines became is found by a difference of words',
  },
  'engines/discussion-work': {
    imports: ['engines/addressed', 'engines/positions'],
    why: 'one thread follows and judges discussions',
  },
  'engines/review': {
    imports: ['engines/facts', 'engines/git', 'engines/processes', 'engines/search'],
    why: 'a review runs in a process, and compares two commits and what their code defines and uses',
  },
  'engines/models': { imports: ['engines/review'], why: 'what a model reports is a finding of a review' },
  'engines/search': {
    imports: ['engines/git', 'engines/processes', 'engines/shards'],
    why: 'what is searched is read from git by processes, and its index is kept in shards',
  },
  'engines/facts': {
    imports: [...['engines/git', 'engines/owners', 'engines/processes', 'engines/search', 'engines/shards']],
    why: 'facts are kept in shards as the search index is, and code is read the same way, by processes; owners are facts',
  },
  'features/accounts': {
    imports: [
      ...['features/audit', 'features/memberships', 'features/api-keys', 'features/oauth'],
      ...['features/reviewers', 'features/organization-settings'],
    ],
    why: 'deactivating a person revokes their keys and signs their agents out; a new organization has settings and built-in reviewers',
  },
  'features/api-keys': {
    imports: ['features/audit', 'features/memberships'],
    why: 'creating and revoking keys is recorded; a key belongs to an active member',
  },
  'features/oauth': {
    imports: ['features/audit', 'features/memberships'],
    why: 'letting an agent in is recorded; an agent acts for an active member',
  },
  'features/single-sign-on': {
    imports: ['features/accounts', 'features/audit', 'features/memberships', 'features/teams'],
    why: 'a person from the provider becomes a member with a session and teams, or loses access; both are recorded',
  },
  'features/organization-settings': {
    imports: ['features/audit', 'features/repositories'],
    why: 'changing a setting is recorded, and a setting can name repositories',
  },
  'features/teams': {
    imports: ['features/audit', 'features/memberships'],
    why: 'changing a team is recorded; active members are in it',
  },
  'features/models': { imports: ['features/audit'], why: 'setting up a model is recorded' },
  'features/repositories': {
    imports: ['features/audit', 'features/memberships'],
    why: 'adding and removing is recorded, and a private one is shown to active members',
  },
  'features/code-hosts': {
    imports: [
      ...['features/audit', 'features/discussions', 'features/events', 'features/inbox'],
      ...['features/pull-requests', 'features/repositories', 'features/reviews', 'features/statuses'],
      'features/teams',
    ],
    why: 'connecting a host is recorded and adds its repositories, whose pull requests, discussions and statuses are kept in sync with it, as are teams that follow a team there; it shows what came of reviews, and disconnecting it deletes what was said about it',
  },
  'features/mirrors': {
    imports: ['features/repositories'],
    why: 'a mirror is a copy of a repository, whose state and refs it records',
  },
  'features/architecture': {
    imports: ['features/models', 'features/remote-fs', 'features/repositories'],
    why: 'repositories are described, in the words of a model if there is one, and only visible ones are found',
  },
  'features/remote-fs': { imports: ['features/repositories'], why: 'code is read in a named repository' },
  'features/planner-events': {
    imports: ['features/repositories'],
    why: 'a session does not name repositories that the reader can’t see',
  },
  'features/plans': {
    imports: [
      ...[
        'features/audit',
        'features/memberships',
        'features/repositories',
        'features/organization-settings',
      ],
      ...['features/planner-events', 'features/events'],
    ],
    why: 'a plan names repositories, obeys settings, is approved by a second person, is joined with its planner session, and records every change as an event',
  },
  'features/pull-requests': {
    imports: [
      ...[
        'features/audit',
        'features/events',
        'features/memberships',
        'features/repositories',
        'features/organization-settings',
      ],
      ...['features/plans', 'features/statuses', 'features/teams'],
    ],
    why: 'a pull request belongs to a repository, is approved by a second person, records every change as an event, marks the plans that it implements, shows the statuses of its head, asks teams for reviews, and is merged against the rule only on the audit log; changing a merge rule is recorded',
  },
  'features/discussions': {
    imports: ['features/pull-requests', 'features/repositories', 'features/organization-settings'],
    why: 'a discussion belongs to a pull request of a named repository, and obeys settings',
  },
  'features/images': {
    imports: ['features/pull-requests', 'features/repositories'],
    why: 'an image is uploaded for a pull request, and seen by whoever can read a text that shows it',
  },
  'features/reviewers': {
    imports: [
      'features/audit',
      'features/discussions',
      'features/models',
      'features/repositories',
      'features/organization-settings',
    ],
    why: 'a reviewer applies to repositories and paths, shows the discussions that it opened, and changing it is recorded',
  },
  'features/reviews': {
    imports: [
      ...[
        'features/advisories',
        'features/architecture',
        'features/audit',
        'features/discussions',
        'features/models',
      ],
      ...[
        'features/pull-requests',
        'features/repositories',
        'features/reviewers',
        'features/organization-settings',
      ],
    ],
    why: 'reviewers and agents review a pull request as settings say, look for uses in other repositories and for advisories, ask a model if there is one, their findings are discussions, and undoing a dismissal is recorded',
  },
  'features/review-trials': {
    imports: ['features/repositories', 'features/reviewers', 'features/organization-settings'],
    why: 'reviewers are tried on pull requests of visible repositories, without excluded paths',
  },
  'features/inbox': {
    imports: ['features/events', 'features/memberships', 'features/repositories', 'features/teams'],
    why: 'active members are notified of events, by their names and as members of a team too, and only of repositories that they can see',
  },
  'features/mentions': {
    imports: ['features/memberships', 'features/repositories', 'features/teams'],
    why: 'a text refers to members, teams, and what is in visible repositories',
  },
  'features/mail': {
    imports: ['features/events', 'features/inbox'],
    why: 'items of the inbox are mailed to active members',
  },
  'features/watching': {
    imports: [
      ...['features/audit', 'features/inbox', 'features/mail', 'features/organization-settings'],
      ...['features/pull-requests', 'features/repositories', 'features/teams'],
    ],
    why: 'pull requests of visible repositories that match globs come into the inboxes and mail of members and teams; choosing for a team is recorded',
  },
  'features/system': { imports: ['features/audit'], why: 'running failed jobs again is recorded' },
  'features/privacy': {
    imports: [
      ...['features/accounts', 'features/audit', 'features/code-hosts', 'features/repositories'],
      'features/system',
    ],
    why: 'a deleted account has no password and no linked accounts, which is recorded; the jobs of a deleted organization are gone with it; repositories are described again after masking',
  },
  'features/webhooks': {
    imports: [
      ...['features/audit', 'features/events', 'features/inbox', 'features/plans'],
      'features/pull-requests',
    ],
    why: 'events are sent to other services, filtered by the kinds that plans and pull requests have; messages to chats name whom a text mentions',
  },
};

/** Packages (and their subpaths) that are imported in one place alone, so that they can be replaced there. */
const ONLY_IN: Record<string, { places: string[]; why: string }> = {
  pg: { places: ['platform/db'], why: 'only the database folder talks to the driver' },
  fastify: {
    places: ['transports/http', 'app.ts', 'node.ts', 'commands'],
    why: 'only the transport knows Fastify; others name its type',
  },
  '@node-rs/argon2': { places: ['features/accounts'], why: 'passwords are hashed in one file' },
  'prom-client': { places: ['metrics.ts'], why: 'metrics are defined in one file' },
  nodemailer: { places: ['engines/mail'], why: 'only one folder knows how mail is sent' },
  'pg-boss': { places: ['platform/queue'], why: 'the queue can be replaced in one folder' },
  ai: { places: ['engines/models'], why: 'only one folder knows how models are asked' },
  '@ai-sdk/anthropic': { places: ['engines/models'], why: 'only one folder knows how models are asked' },
  '@ai-sdk/openai-compatible': {
    places: ['engines/models'],
    why: 'only one folder knows how models are asked',
  },
  '@modelcontextprotocol/server': {
    places: ['transports/mcp'],
    why: 'only the MCP server speaks the protocol',
  },
  'openid-client': {
    places: ['engines/identity-provider'],
    why: 'the OpenID Connect client can be replaced in one folder',
  },
  jose: {
    places: ['engines/identity-provider'],
    why: 'only logout tokens are read without the OpenID Connect client',
  },
  'oidc-provider': { places: ['features/oauth'], why: 'the OAuth server can be replaced in one folder' },
  '@vscode/ripgrep': { places: ['engines/search'], why: 'only code search starts ripgrep' },
  pino: { places: ['platform/core'], why: 'the log is made in one file and handed on' },
  'node:child_process': {
    places: [
      'platform/db',
      'engines/git',
      'engines/processes',
      'engines/search',
      'engines/review',
      'features/system',
      'build-web-app.ts',
      'commands',
    ],
    why: 'only the embedded PostgreSQL, git, processes that read code, ripgrep, ast-grep, the build of the web app, checks of what is installed and commands on the user’s own machine start programs',
  },
};

/** More is a drawer: what belongs together gets a folder whose name says so. */
const MAX_FILES = 30;

const service = readFolder('src');
const imports = service.flatMap((entry) => entry.imports);

describe('the service', () => {
  it('has a rule for everything in src', () => {
    const layers = new Set(service.map(({ file }) => file.split('/')[1]!));
    expect([...layers].sort()).toEqual(Object.keys(LAYERS).sort());
  });

  it('imports only what its layer may import', () => {
    expect(imports.flatMap(refuse)).toEqual([]);
  });

  it('allows nothing that is not needed', () => {
    const used = imports.flatMap(({ file, target }) => (target ? [[layerOf(file), target] as const] : []));
    const unusedOfLayers = Object.entries(LAYERS).flatMap(([layer, rule]) =>
      rule.imports
        .filter((allowed) => !used.some(([from, target]) => from === layer && isWithin(target, allowed)))
        .map((allowed) => `${layer} → ${allowed}`),
    );
    const unusedOfSiblings = Object.entries(SIBLINGS).flatMap(([folder, rule]) =>
      rule.imports
        .filter(
          (allowed) =>
            !imports.some(
              ({ file, target }) => folderOf(file) === folder && target && isWithin(target, allowed),
            ),
        )
        .map((allowed) => `${folder} → ${allowed}`),
    );
    const unusedOfPackages = Object.entries(ONLY_IN).flatMap(([name, rule]) =>
      rule.places
        .filter(
          (place) =>
            !imports.some(
              ({ file, specifier }) =>
                packageOf(specifier) === name && isWithin(file.slice('src/'.length), place),
            ),
        )
        .map((place) => `${name} in ${place}`),
    );
    expect([...unusedOfLayers, ...unusedOfSiblings, ...unusedOfPackages]).toEqual([]);
  });

  it('enters another folder through its index.ts alone', () => {
    const isTypeOfContract = ({ file, target, typeOnly }: Import) =>
      file === 'src/operation-types.ts' && typeOnly && target?.endsWith('/contract.ts');
    // The table of operations reads each from its file, so that a new operation needs no line in its feature's index.ts.
    const isOperation = ({ file, target }: Import) =>
      file === 'src/operations.ts' && target?.startsWith('src/features/');
    const isJob = ({ file, target }: Import) => file === 'src/jobs.ts' && target?.endsWith('/jobs.ts');
    // Contracts are read by the web app too, which must not load a feature's code with them.
    const isBetweenContracts = ({ file, target }: Import) =>
      /[/-]contract\.ts$/.test(file) && target?.endsWith('/contract.ts');
    // Shapes and constants are needed before, and without, the engine itself.
    const isContractOfEngine = ({ target }: Import) =>
      /^src\/engines\/[\w-]+\/contract(?:\.ts$|\/)/.test(target ?? '');
    const wrong = imports.filter((found) => {
      const { file, target } = found;
      return (
        target?.includes('/') &&
        folderOf(file) !== folderOf(target) &&
        !isWithin(target, 'src/platform/core') &&
        !target.endsWith('/index.ts') &&
        file !== 'src/main.ts' &&
        !isTypeOfContract(found) &&
        !isOperation(found) &&
        !isJob(found) &&
        !isBetweenContracts(found) &&
        !isContractOfEngine(found) &&
        target.split('/').length > 2
      );
    });
    expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
  });

  it('defines jobs beside what they do: src/jobs.ts lists them and nothing else', () => {
    const listed = imports.filter(({ file }) => file === 'src/jobs.ts').map(({ target }) => target);
    const defined = service
      .map(({ file }) => file)
      .filter((file) => /^src\/(features|platform)\/[^/]+\/jobs\.ts$/.test(file));
    expect(listed.toSorted()).toEqual(defined.toSorted());
  });

  it('claims and queues what is due in defineJob alone', () => {
    const others = service.filter(
      ({ code, file }) =>
        !isWithin(file, 'src/platform/queue') && /\bqueue\??\.(send|started|wake)\(/.test(code),
    );
    // A failed delivery is sent again at a later time.
    expect(others.map(({ file }) => file)).toEqual(['src/features/webhooks/deliver-webhook.ts']);
  });

  it('has at most 30 files in a folder, tests apart', () => {
    const counts = new Map<string, number>();
    for (const root of ['src', 'web', 'test', 'bench', 'scripts'])
      for (const file of listFolder(root)) {
        const folder = dirname(file);
        if (!isWithin(file, 'web/dist')) counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
    expect([...counts].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });

  it('writes SQL in *-store.ts files alone', () => {
    const wrong = service.filter(
      ({ file, code }) =>
        file.startsWith('src/features/') &&
        !file.endsWith('-store.ts') &&
        /\bsql[`<]|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(code),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it('keeps packages in the one place that needs them', () => {
    const wrong = imports.flatMap(({ file, specifier }) => {
      const rule = ONLY_IN[packageOf(specifier)];
      const allowed = rule?.places.some((place) => isWithin(file.slice('src/'.length), place));
      return !rule || allowed ? [] : [`${file} imports ${specifier}: ${rule.why}`];
    });
    expect(wrong).toEqual([]);
  });

  it('reads the environment in config.ts alone', () => {
    const readers = service.filter(({ code }) => /process\.env|loadEnvFile/.test(code));
    expect(readers.map(({ file }) => file)).toEqual(['src/config.ts']);
  });

  it('has no import cycles', () => {
    expect(findCycle(service)).toBeUndefined();
  });

  it('has rooms that import each other in one direction', () => {
    const between = imports.filter(({ file, target }) => {
      const [from, to] = [roomOf(file), target && roomOf(target)];
      return from && to && from !== to && folderOf(file) === folderOf(target!);
    });
    const rooms = Map.groupBy(between, ({ file }) => roomOf(file)!);
    const graph = [...rooms].map(([file, from]) => ({
      ...{ file, code: '' },
      imports: from.map((found) => ({ ...found, target: roomOf(found.target!) })),
    }));
    expect(findCycle(graph)).toBeUndefined();
  });
});

/** Why an import is not allowed, or nothing. */
function refuse({ file, specifier, target }: Import): string[] {
  if (!target) return [];
  if (!target.startsWith('src/')) return [`${file} imports ${specifier}, which is not part of the service`];
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to) return [];
  const layer = layerOf(file);
  const rule = LAYERS[layer]!;
  if (layerOf(target) !== layer || from === layer) {
    const allowed = rule.imports.some((place) => isWithin(target, place));
    return allowed ? [] : [`${file} imports ${specifier}: ${rule.why}`];
  }
  const siblings = SIBLINGS[from];
  return siblings?.imports.includes(to)
    ? []
    : [
        `${file} imports ${specifier}, but ${from} may not know ${to}: ${siblings?.why ?? 'it knows no other'}`,
      ];
}

function layerOf(file: string): string {
  return file.split('/')[1]!;
}

/** The unit that is kept apart from others: `features/plans`, `commands`, `app.ts`. */
function folderOf(file: string): string {
  const [, layer, folder] = file.split('/');
  return ['platform', 'engines', 'features', 'transports'].includes(layer!) ? `${layer}/${folder}` : layer!;
}

/** The folder inside a unit that a file is in: `features/code-hosts/sync`; none for a file at its root. */
function roomOf(file: string): string | undefined {
  const unit = folderOf(file);
  const [room, ...rest] = file.slice(`src/${unit}/`.length).split('/');
  return rest.length > 0 ? `${unit}/${room}` : undefined;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
