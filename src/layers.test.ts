/** Imports point inward: this test knows which folder may import which, and says why when one does otherwise. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = import.meta.dirname;

/** What each place may import of ours, besides itself. A place is a folder of src or a file that stands alone in it. */
const ALLOWED: Record<string, { imports: string[]; why: string }> = {
  core: {
    imports: [],
    why: 'core is the bottom: everything may build on it, so it builds on nothing of ours',
  },
  'config.ts': { imports: ['core'], why: 'settings are read before anything else exists' },
  db: { imports: ['core'], why: 'the database knows nothing of features' },
  'context.ts': {
    imports: ['core', 'db'],
    why: 'what an operation receives is made of the layers below features',
  },
  audit: {
    imports: ['core', 'db', 'context.ts'],
    why: 'every feature records deeds, so audit depends on no feature',
  },
  'api-keys': { imports: ['core', 'db', 'context.ts', 'audit'], why: 'keys record deeds' },
  accounts: {
    imports: ['core', 'db', 'context.ts', 'audit', 'api-keys', 'oauth'],
    why: 'accounts record deeds, and deactivating a person revokes their keys and signs their agents out',
  },
  text: { imports: ['core'], why: 'differences and blocks of texts are pure, whatever the texts are' },
  anchors: { imports: ['core', 'text'], why: 'where a quote went in a text is pure, whoever quoted it' },
  git: { imports: ['core'], why: 'it runs git safely, whatever for' },
  search: {
    imports: ['core', 'git'],
    why: 'it reads and searches code at commits, whoever asks; it runs in processes of its own',
  },
  live: { imports: ['core', 'db'], why: 'it wakes up whoever waits, and knows nothing of what changed' },
  queue: { imports: ['core', 'db'], why: 'it runs jobs in the background, whatever they do' },
  secrets: { imports: ['core', 'db'], why: 'it seals texts for other features, whatever they are' },
  repositories: {
    imports: ['core', 'db', 'context.ts', 'audit', 'git'],
    why: 'repositories are found by name by other features; where they are fetched from is checked by git',
  },
  mirrors: {
    imports: ['core', 'db', 'git', 'search', 'queue', 'repositories'],
    why: 'mirrors are copies of repositories, made by git and renewed through the queue',
  },
  'remote-fs': {
    imports: ['core', 'db', 'context.ts', 'repositories'],
    why: 'it finds the repository and the commit, and leaves the reading to the port in core',
  },
  switches: { imports: ['core', 'db', 'context.ts', 'audit'], why: 'moving a switch is recorded' },
  plans: {
    imports: [
      ...['core', 'db', 'context.ts', 'audit', 'text', 'anchors'],
      ...['repositories', 'switches', 'planner-events'],
    ],
    why: 'a plan names repositories, obeys switches and is joined with its planner session',
  },
  inbox: { imports: ['core', 'db', 'context.ts', 'plans'], why: 'the inbox tells people of events of plans' },
  webhooks: {
    imports: ['core', 'db', 'context.ts', 'audit', 'plans', 'queue'],
    why: 'webhooks tell other programs of events of plans, through the queue',
  },
  'planner-events': { imports: ['core', 'db', 'context.ts'], why: 'events stand alone' },
  idempotency: { imports: ['core', 'db', 'context.ts'], why: 'it wraps any operation, so it knows none' },
  mcp: { imports: ['core'], why: 'the MCP server is handed the table; it knows the protocol and no feature' },
  oauth: {
    imports: ['core', 'db', 'context.ts', 'audit'],
    why: 'agents are signed in for people of organizations; who did so is recorded',
  },
  http: { imports: ['core'], why: 'the transport is handed the table and all else as arguments' },
  'build-web-app.ts': { imports: [], why: 'it turns web/ into files and knows nothing of the service' },
  'metrics.ts': { imports: ['http'], why: 'it fills the place that http left open for metrics' },
  'operations.ts': {
    imports: [
      'core',
      'context.ts',
      'audit',
      'api-keys',
      'accounts',
      'planner-events',
      'repositories',
      'remote-fs',
      'switches',
      'plans',
      'inbox',
      'webhooks',
      'oauth',
    ],
    why: 'the table lists operations and nothing else',
  },
  'jobs.ts': {
    imports: [
      ...['core', 'db', 'accounts', 'idempotency', 'plans', 'inbox', 'webhooks', 'mirrors', 'queue'],
      'oauth',
    ],
    why: 'the table lists jobs and nothing else',
  },
  'worker.ts': {
    imports: ['core', 'db', 'jobs.ts', 'live', 'mirrors', 'queue'],
    why: 'it runs the jobs it is given',
  },
  'app.ts': {
    imports: [
      'core',
      'config.ts',
      'context.ts',
      'db',
      'http',
      'api-keys',
      'accounts',
      'idempotency',
      'live',
      'mcp',
      'metrics.ts',
      'oauth',
    ],
    why: 'the composition root puts the parts together; it is handed the operations',
  },
  commands: {
    imports: [
      'core',
      'config.ts',
      'db',
      'audit',
      'api-keys',
      'accounts',
      'live',
      'queue',
      'secrets',
      'repositories',
      'mirrors',
      'remote-fs',
      'plans',
      'app.ts',
      'build-web-app.ts',
      'operations.ts',
      'jobs.ts',
      'worker.ts',
    ],
    why: 'commands start the service or act as the operator; they never go through http',
  },
  'main.ts': { imports: ['core', 'config.ts', 'commands'], why: 'the process entry only picks a command' },
};

/** Packages that one place alone may import, so that they can be replaced in one place. */
const ONLY_IN: Record<string, { places: string[]; why: string }> = {
  pg: { places: ['db'], why: 'only the database folder talks to the driver' },
  fastify: {
    places: ['http', 'app.ts', 'commands'],
    why: 'only the transport knows Fastify; others name its type',
  },
  '@node-rs/argon2': { places: ['accounts'], why: 'passwords are hashed in one file' },
  'prom-client': { places: ['metrics.ts'], why: 'metrics are defined in one file' },
  'pg-boss': { places: ['queue'], why: 'the queue can be replaced in one folder' },
  '@modelcontextprotocol/server': { places: ['mcp'], why: 'only the MCP server speaks the protocol' },
  'oidc-provider': { places: ['oauth'], why: 'the OAuth server can be replaced in one folder' },
  '@vscode/ripgrep': { places: ['search'], why: 'only code search starts ripgrep' },
  pino: { places: ['core'], why: 'the log is made in one file and handed on' },
  'node:child_process': {
    places: ['db', 'git', 'search', 'build-web-app.ts'],
    why: 'only the embedded PostgreSQL, git, code search and the build of the web app start programs',
  },
};

interface Import {
  file: string;
  place: string;
  specifier: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .sort();
const imports = files.flatMap(readImports);

describe('layers', () => {
  it('knows every folder and file of src', () => {
    expect([...new Set(files.map(placeOf))].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it('imports only what its place may import', () => {
    const wrong = imports.filter(isOurs).flatMap(({ file, place, specifier }) => {
      const target = placeOf(relative(SRC, resolve(SRC, dirname(file), specifier)));
      const rule = ALLOWED[place]!;
      return target === place || rule.imports.includes(target)
        ? []
        : [`${file} imports ${specifier}, but ${place} may not import ${target}: ${rule.why}`];
    });
    expect(wrong).toEqual([]);
  });

  it('enters another folder through its index.ts alone', () => {
    const wrong = imports.filter(isOurs).flatMap(({ file, place, specifier }) => {
      const target = relative(SRC, resolve(SRC, dirname(file), specifier));
      const inside = placeOf(target) === place || !target.includes('/') || placeOf(target) === 'core';
      return inside || target.endsWith('/index.ts')
        ? []
        : [`${file} imports ${specifier}: a folder's only door is its index.ts`];
    });
    expect(wrong.filter((line) => !line.startsWith('main.ts'))).toEqual([]);
  });

  it('keeps packages in the one place that needs them', () => {
    const wrong = imports.flatMap(({ file, place, specifier }) => {
      const rule = ONLY_IN[specifier];
      return !rule || rule.places.includes(place) ? [] : [`${file} imports ${specifier}: ${rule.why}`];
    });
    expect(wrong).toEqual([]);
  });

  it('reads the environment in config.ts alone', () => {
    const readers = files.filter((file) => /process\.env|loadEnvFile/.test(codeOf(file)));
    expect(readers).toEqual(['config.ts']);
  });

  it('has no circle of files', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        imports
          .filter((entry) => entry.file === file && isOurs(entry))
          .map(({ specifier }) => relative(SRC, resolve(SRC, dirname(file), specifier))),
      ]),
    );
    expect(findCircle(graph)).toBeUndefined();
  });
});

function placeOf(file: string): string {
  return file.split('/')[0]!;
}

function isOurs({ specifier }: Import): boolean {
  return specifier.startsWith('.');
}

function codeOf(file: string): string {
  const source = readFileSync(join(SRC, file), 'utf8');
  return source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

/** Static imports and re-exports, and imports made while running. */
function readImports(file: string): Import[] {
  const found = codeOf(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\n]+)'/g);
  return [...found].map((match) => ({ file, place: placeOf(file), specifier: match[1]! }));
}

function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, trail: string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...trail, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return undefined;
}
