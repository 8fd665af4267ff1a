/**
 * `npm run evaluate:uses -- FOLDER [--list]`: how many of the edges that we find between the services of public systems are
 * right, and how many of those that a person found by reading we find. FOLDER has bare clones as OWNER+NAME/repo. A
 * service is a repository, or a folder of one, which is then stored as a repository of its own.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrganization } from '../src/features/accounts/index.ts';
import { factRows, findNeighbours, replaceFacts } from '../src/features/architecture/index.ts';
import { operatorOf } from '../src/features/audit/index.ts';
import type { PlacedFact } from '../src/platform/core/ports/code-facts.ts';
import { createLog } from '../src/platform/core/telemetry/log.ts';
import { systemClock } from '../src/platform/core/text/clock.ts';
import { uuidv7 } from '../src/platform/core/text/uuid.ts';
import { type Db, migrate, openDatabase, startEmbeddedPostgres } from '../src/platform/db/index.ts';
import { readCommit } from './architecture/read-commit.ts';

interface System {
  system: string;
  /** The commit that was read, for each repository. */
  commits: Record<string, string>;
  /** `OWNER/NAME` or `OWNER/NAME:folder`. */
  services: Record<string, string>;
  /** `consumer > provider kind name`, and the place in the consumer. */
  edges: Record<string, string>;
}

const [folder, ...options] = process.argv.slice(2);
if (!folder || folder.startsWith('--')) throw new Error('Usage: npm run evaluate:uses -- FOLDER [--list]');
const systems: System[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'architecture/uses.json'), 'utf8'),
);

const factsRead = new Map<string, PlacedFact[]>();
const log = createLog({ level: 'warn', terminal: false });
const dir = mkdtempSync(join(tmpdir(), 'countersign-evaluation-'));
const postgres = await startEmbeddedPostgres({ dir, log, settings: { fsync: 'off' } });
await migrate(postgres.connection, log);
const database = await openDatabase(postgres.connection, { poolSize: 2, onConnectionLost: () => undefined });
try {
  const results: { system: string; known: number; found: number; right: number }[] = [];
  for (const [index, system] of systems.entries()) {
    const found = await findEdges(database.db, system, index);
    const known = new Set(Object.keys(system.edges));
    const right = found.filter((edge) => known.has(edge));
    results.push({ system: system.system, known: known.size, found: found.length, right: right.length });
    if (!options.includes('--list')) continue;
    for (const edge of found.filter((each) => !known.has(each))) print(`wrong   ${edge}`);
    for (const edge of known) if (!right.includes(edge)) print(`missing ${edge}  ${system.edges[edge]}`);
  }
  print(`${'system'.padEnd(34)} verified  found  right  precision  recall`);
  const sum = (key: 'known' | 'found' | 'right') => results.reduce((total, each) => total + each[key], 0);
  for (const { found, known, right, system } of [
    ...results,
    { system: 'all', known: sum('known'), found: sum('found'), right: sum('right') },
  ]) {
    const share = (of: number) => (of === 0 ? '-' : (right / of).toFixed(2));
    const cells = [String(known).padStart(8), String(found).padStart(5), String(right).padStart(5)];
    print(
      `${system.padEnd(34)} ${cells.join('  ')}  ${share(found).padStart(9)}  ${share(known).padStart(6)}`,
    );
  }
} finally {
  await database.close();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

/** Each system is an organization, as it would be in the service. */
async function findEdges(db: Db, { commits, services }: System, index: number): Promise<string[]> {
  const at = systemClock.now();
  const { organizationId, userId } = await createOrganization(
    db,
    { organizationName: `System ${index}`, name: 'A', email: `a${index}@example.com`, passwordHash: '-' },
    (id) => operatorOf(id, at),
    at,
  );
  const ids = new Map<string, string>();
  for (const [name, location] of Object.entries(services)) {
    const [repository, inside = ''] = location.split(':');
    const facts = await factsOf(repository!, commits[repository!]!);
    const id = uuidv7();
    ids.set(name, id);
    await db
      .insertInto('repositories')
      .values({ id, organization_id: organizationId, name, created_at: at })
      .execute();
    const own = facts.filter(({ path }) => inside === '' || path.startsWith(`${inside}/`));
    await replaceFacts(db, { id, organizationId }, factRows(own, []).rows);
  }
  const reader = { organizationId, userId, role: 'owner' as const };
  const edges = new Set<string>();
  for (const [name, repositoryId] of ids) {
    const limits = { repositories: 1000, places: 10_000 };
    const { dependencies } = await findNeighbours(db, reader, { repositoryId, commit: null }, limits);
    for (const edge of dependencies) edges.add(`${name} > ${edge.repoName} ${edge.kind} ${edge.name}`);
  }
  return [...edges].sort();
}

async function factsOf(repository: string, commit: string): Promise<PlacedFact[]> {
  const known = factsRead.get(repository);
  if (known) return known;
  const clone = join(folder!, repository.replace('/', '+'), 'repo');
  const gitDir = existsSync(join(clone, '.git')) ? join(clone, '.git') : clone;
  const head = execFileSync('git', ['--git-dir', gitDir, 'rev-parse', 'HEAD']).toString().trim();
  if (head !== commit) throw new Error(`${repository} is at ${head}; the edges were verified at ${commit}.`);
  const { facts } = (await readCommit(gitDir, repository, undefined)).facts;
  factsRead.set(repository, facts);
  return facts;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
