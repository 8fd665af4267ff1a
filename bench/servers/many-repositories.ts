/** The service with many repositories made from the files of one (SOURCE), cloned and indexed, and a browser session. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../../src/operations.ts';
import { indexCorpus } from './index-corpus.ts';
import { startService } from './start-service.ts';
import { startSession } from './start-session.ts';

/** Occurs in one file of some repositories, like the name of a helper that a team copied. */
const PATTERN = 'reconcileSharedLedger';
const EVERY_NTH_HAS_IT = 20;

const source = process.env.SOURCE!;
const count = Number(process.env.REPOSITORIES);
const maxBytes = Number(process.env.BYTES_A_REPOSITORY);

const folder = mkdtempSync(join(tmpdir(), 'countersign-many-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

interface SourceFile {
  path: string;
  content: Buffer;
}

/** The files of the source, each up to 1 MB. */
function readFiles(): SourceFile[] {
  const options = { maxBuffer: 1 << 30 };
  const rows = execFileSync('git', [`--git-dir=${source}`, 'ls-tree', '-r', '-l', 'HEAD'], options)
    .toString()
    .split('\n')
    .flatMap((row) => {
      const [, id, size, path] = /^100\d+ blob (\w+) +(\d+)\t([^"]*)$/.exec(row) ?? [];
      return id !== undefined && Number(size) <= 1e6 ? [{ id, size: Number(size), path: path! }] : [];
    });
  const input = rows.map(({ id }) => `${id}\n`).join('');
  const all = spawnSync('git', [`--git-dir=${source}`, 'cat-file', '--batch', '--buffer'], {
    input,
    ...options,
  });
  let at = 0;
  return rows.map(({ path, size }) => {
    const start = all.stdout.indexOf(10, at) + 1;
    at = start + size + 1;
    return { path, content: all.stdout.subarray(start, start + size) };
  });
}

/** The next files up to the size of a repository, each with a line of its own, so that no blob is in two repositories. */
function makeRepository(
  files: SourceFile[],
  first: number,
  number: number,
): { gitDir: string; next: number } {
  const gitDir = join(folder, `service-${number}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
  const parts: Buffer[] = [
    Buffer.from(
      `commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 3\nAll\n`,
    ),
  ];
  const add = (path: string, content: Buffer) =>
    parts.push(Buffer.from(`M 100644 inline ${path}\ndata ${content.length}\n`), content, Buffer.from('\n'));
  let [bytes, next] = [0, first];
  const taken = new Set<string>();
  while (bytes < maxBytes) {
    const { content, path } = files[next % files.length]!;
    next += 1;
    if (taken.has(path)) break;
    taken.add(path);
    add(path, Buffer.concat([content, Buffer.from(`\n// repository ${number}\n`)]));
    bytes += content.length;
  }
  if (number % EVERY_NTH_HAS_IT === 0) add('shared/ledger.go', Buffer.from(`func ${PATTERN}() {}\n`));
  const made = spawnSync('git', [`--git-dir=${gitDir}`, 'fast-import', '--quiet'], {
    input: Buffer.concat(parts),
  });
  if (made.status !== 0) throw new Error(made.stderr.toString());
  return { gitDir, next };
}

const service = await startService(operations);
const files = readFiles();
let next = 0;
for (let number = 0; number < count; number += 1) {
  const made = makeRepository(files, next, number);
  next = made.next;
  const { organizationId } = service.owner;
  await indexCorpus(service, { name: `bench/service-${number}`, url: made.gitDir, organizationId });
  rmSync(made.gitDir, { recursive: true });
}
service.announce({ session: await startSession(service), pattern: PATTERN, repository: 'bench/service-0' });
