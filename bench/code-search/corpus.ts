/**
 * The repositories for the search benchmarks: one built from node_modules, which is real third-party code, and the bare
 * clone in BENCH_REPO, if set. Each comes with a checkout of its head, for ripgrep.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readObjects } from '../../src/engines/git/index.ts';
import { idOf, pathOf } from '../../src/engines/search/commits/commit-files.ts';
import { openObjectBatches } from '../../src/engines/search/commits/object-batches.ts';
import { readCommitFiles, readTreeId } from '../../src/engines/search/commits/read-commit.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
/** More than the measurements on new commits need. */
const PUSHES = 15;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface Corpus {
  name: string;
  /** A bare repository with one branch. */
  gitDir: string;
  checkout: string;
  /** Ancestors of the head, newest first. */
  earlier: string[];
  head: string;
  /** The size of all text at the head, in bytes. */
  textBytes: number;
  /** Patterns that few files can match, and patterns without trigrams. */
  selective: string[];
  unselective: string[];
  globs: string[];
  /** Names that occur in a few files. */
  identifiers: string[];
  remove(): void;
}

export async function git(gitDir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', [`--git-dir=${gitDir}`, ...args], { maxBuffer: 1 << 30 });
  return stdout.trimEnd();
}

/** Files of node_modules up to 5 MB, and pushes that change a hundred of them each. */
export async function nodeModulesCorpus(): Promise<Corpus> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-corpus-'));
  const gitDir = join(folder, 'corpus.git');
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
  const work = join(ROOT, 'node_modules');
  const files = (
    await run('find', ['.', '-type', 'f', '-size', '-5M', '-print0'], { cwd: work, maxBuffer: 1 << 28 })
  ).stdout;
  const list = join(folder, 'files');
  writeFileSync(list, files);
  const inWork = ['-c', 'core.autocrlf=false', `--git-dir=${gitDir}`, `--work-tree=${work}`];
  await run('git', [...inWork, 'add', '--force', `--pathspec-from-file=${list}`, '--pathspec-file-nul'], {
    cwd: work,
    maxBuffer: 1 << 28,
  });
  const base = await commitIndex(gitDir);
  const paths = (await git(gitDir, 'ls-files', '*.js')).split('\n');
  const pushes = Array.from({ length: PUSHES }, (_, push) => paths.slice(push * 100, push * 100 + 100));
  await importPushes(gitDir, base, pushes, (path) => readFileSync(join(work, path)));
  await git(gitDir, 'repack', '-a', '-d', '-q');
  return finish('node_modules', folder, gitDir, {
    selective: [
      'isolateModulesAsync',
      'ERR_INVALID_ARG_TYPE',
      'function \\w+StreamReader\\(',
      '(?i)utf-?16le',
      'createSecureContext',
    ],
    unselective: ['[0-9]{13}', 'q.z.{3}k', '[A-Z]{2}[0-9]{9}'],
    globs: ['*.d.ts', '**/dist/**/*.js', 'vite/*.md', '*LICENSE*'],
    identifiers: [
      ...['isolateModulesAsync', 'createSecureContext', 'getSyntacticDiagnostics', 'parseJsonConfigFile'],
      ...['resolveTypeReferenceDirective', 'flushPassiveEffects', 'dehydrateQueryClient', 'zodToJsonSchema'],
      ...['createFilterStackView', 'preferredColorScheme', 'escapeIdentifier', 'ReadableStreamBYOBReader'],
      ...['fastCheckConfiguration', 'computePosition', 'tokenizeFlowchart', 'hydrateRootOptions'],
      ...['isPlainObjectLike', 'registerLanguageBundle', 'sqliteDialect', 'maxListenersExceeded'],
    ],
  });
}

/** Creates consecutive commits on main, each of which adds a line to each of its files. */
export async function importPushes(
  gitDir: string,
  base: string,
  pushes: string[][],
  contentOf: (path: string) => Buffer,
): Promise<void> {
  const commits = pushes.map((paths, push) => {
    const line = Buffer.from(`\n// push ${push}\n`);
    return new Map(paths.map((path) => [path, Buffer.concat([contentOf(path), line])]));
  });
  await importCommits(gitDir, { branch: 'main', from: base }, commits);
}

/** Creates consecutive commits on a branch, each with the new contents of some files. */
export async function importCommits(
  gitDir: string,
  { branch, from }: { branch: string; from: string },
  commits: Map<string, Buffer>[],
): Promise<void> {
  const parts: Buffer[] = [];
  commits.forEach((files, number) => {
    const parent = number === 0 ? `from ${from}\n` : '';
    parts.push(
      Buffer.from(
        `commit refs/heads/${branch}\ncommitter Bench <bench@example.com> ${1_700_000_000 + number} +0000\ndata 6\nA push\n${parent}`,
      ),
    );
    for (const [path, content] of files) {
      parts.push(
        Buffer.from(`M 100644 inline ${JSON.stringify(path)}\ndata ${content.length}\n`),
        content,
        Buffer.from('\n'),
      );
    }
  });
  const importing = run('git', [`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--force']);
  importing.child.stdin!.end(Buffer.concat(parts));
  await importing;
}

async function commitIndex(gitDir: string): Promise<string> {
  const tree = await git(gitDir, 'write-tree');
  const person = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
  const { stdout } = await run('git', [`--git-dir=${gitDir}`, ...person, 'commit-tree', '-m', 'All', tree]);
  return stdout.trim();
}

/** A hard-linked clone with only the branch of the head: indexing all branches of a large repository would take an hour. */
export async function namedCorpus(bare: string): Promise<Corpus> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-corpus-'));
  const gitDir = join(folder, 'corpus.git');
  const head = await git(bare, 'rev-parse', 'HEAD');
  await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitDir]);
  rmSync(join(gitDir, 'objects'), { recursive: true });
  await run('cp', ['-rl', join(bare, 'objects'), join(gitDir, 'objects')]).catch(() =>
    cpSync(join(bare, 'objects'), join(gitDir, 'objects'), { recursive: true }),
  );
  await git(gitDir, 'update-ref', 'refs/heads/main', head);
  return finish(basename(resolve(bare, '..')).replace(/^.*\+/, ''), folder, gitDir, {
    selective: [
      'NewFakeControllerExpectationsLookup',
      'func \\w+FinalizerHandler\\(',
      'EnsureDefaultLabels',
      '(?i)kubelet_?credential_?provider',
      'errNodeNotFound',
    ],
    unselective: ['[0-9]{13}', 'q.z.{3}k', '[A-Z]{2}[0-9]{9}'],
    globs: ['*_test.go', '**/pkg/**/*.proto', 'staging/src/*/*/go.mod', '*OWNERS*'],
    identifiers: [
      ...['internalListOptions', 'TableList', 'hasEnumTag', 'mustIncludeDeviceIDs', 'labeledNode'],
      ...['keyFileName', 'MaverickCrunch', 'setToken', 'matchersListener', 'newEvictions'],
      ...['TestNewEmptySet', 'platSplit', 'NewCmdCreateService', 'PodGroupWaitingOnPreemption'],
      ...['NewTypedPodGroupInformer', 'patchVGSAndVSCsDeletionPolicy', 'seatDemandIntegratorSubject'],
      ...['reportDbTotalSizeInBytesMu', 'EnsureDefaultLabels', 'errNodeNotFound'],
    ],
  });
}

async function finish(
  name: string,
  folder: string,
  gitDir: string,
  asked: Pick<Corpus, 'selective' | 'unselective' | 'globs' | 'identifiers'>,
): Promise<Corpus> {
  const history = (await git(gitDir, 'rev-list', '--first-parent', '--max-count=2000', 'main')).split('\n');
  const [head, ...before] = history as [string, ...string[]];
  const checkout = join(folder, 'checkout');
  const textBytes = await materialize(gitDir, head, checkout);
  // Spread over the history, so that commits of all ages are measured.
  const step = Math.max(1, Math.floor(before.length / 12));
  const earlier = before.filter((_, index) => index % step === 0);
  return {
    name,
    gitDir,
    head,
    checkout,
    earlier,
    textBytes,
    ...asked,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes a commit's files as ripgrep would find them, even if objects are missing; returns the size of the text in bytes. */
export async function materialize(gitDir: string, commit: string, target: string): Promise<number> {
  const objects = openObjectBatches(gitDir);
  const files = await readCommitFiles(objects, await readTreeId(objects, commit));
  objects.close();
  const wanted = Array.from({ length: files.count }, (_, file) => file).filter((file) => !files.isLink[file]);
  const counted = new Set<string>();
  let textBytes = 0;
  await readObjects(
    gitDir,
    wanted.map((file) => idOf(files, file)),
    { maxBytes: MAX_FILE_BYTES },
    (answer, position) => {
      if (typeof answer === 'string' || !answer.content) return;
      const path = Buffer.concat([Buffer.from(`${target}/`), pathOf(files, wanted[position]!)]);
      mkdirSync(path.subarray(0, path.lastIndexOf(47)), { recursive: true });
      writeFileSync(path, answer.content);
      if (!answer.content.includes(0) && !counted.has(answer.id)) textBytes += answer.content.length;
      counted.add(answer.id);
    },
  );
  return textBytes;
}

/** The corpora of this run. */
export async function corpora(): Promise<Corpus[]> {
  const named = process.env.BENCH_REPO;
  process.stderr.write(`building the corpora (${availableParallelism()} cores)\n`);
  return [await nodeModulesCorpus(), ...(named ? [await namedCorpus(named)] : [])];
}
