/** Creates small real repositories, including unusual ones: bare, in a temporary folder, with `git fast-import`. */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Text or bytes of a file; a symbolic link; a submodule at a commit; null removes what an earlier commit had there. */
export type FixtureFile =
  | string
  | Buffer
  | { executable: string | Buffer }
  | { symlink: string }
  | { submodule: string }
  | null;

/** By path. Paths that are not UTF-8 are buffers, so they need the list. */
export type FixtureFiles = Record<string, FixtureFile> | [path: string | Buffer, file: FixtureFile][];

/** Who made a commit and when; default: nobody in particular, one second after the commit before. */
interface Authorship {
  author?: { name: string; email: string };
  at?: Date;
}

export interface FixtureRepository {
  /** The bare repository's folder. */
  folder: string;
  /** Its path relative to the folder it was created in, as a server of that folder exposes it. */
  name: string;
  /** The folder it was created in. */
  parent: string;
  /** Adds a commit and returns its id. `from: null` starts a new history, `from: commit` resets the branch like a force-push. */
  commit(
    files: FixtureFiles,
    options?: { branch?: string; from?: string | null; message?: string } & Authorship,
  ): Promise<string>;
  /** Runs git in it and returns the output. */
  git(...args: string[]): Promise<string>;
  remove(): Promise<void>;
}

export interface FixtureOptions {
  branch?: string;
  objectFormat?: 'sha1' | 'sha256';
  /** Default: `repository.git`; may contain folders, as in `owner/name.git`. */
  name?: string;
  /** The folder to create it in, for several repositories in one; default: a new temporary one. */
  parent?: string;
}

const NOBODY = { name: 'Fixture', email: 'fixture@example.com' };

/** A repository with one commit of these files, or an empty one when there are none. */
export async function makeRepository(
  files: FixtureFiles = {},
  { branch = 'main', objectFormat = 'sha1', name = 'repository.git', parent }: FixtureOptions = {},
): Promise<FixtureRepository> {
  const made = parent ?? (await mkdtemp(join(tmpdir(), 'countersign-git-')));
  const folder = join(made, name);
  await mkdir(dirname(folder), { recursive: true });
  await cp(await emptyRepository(branch, objectFormat), folder, { recursive: true });
  let commits = 0;
  const repository: FixtureRepository = {
    folder,
    name,
    parent: made,
    commit: async (changes, options = {}) => {
      commits += 1;
      const target = `refs/heads/${options.branch ?? branch}`;
      const message = options.message ?? `Commit ${commits}`;
      const from = await startingPoint(repository, target, options.from);
      const seconds = options.at ? Math.floor(options.at.getTime() / 1000) : 1_700_000_000 + commits;
      const author = options.author ?? NOBODY;
      const input = importStream(changes, { target, message, from, author, seconds });
      const output = await runFixtureGit(folder, ['fast-import', '--quiet', '--force', '--done'], input);
      return output.toString('latin1').trim();
    },
    git: async (...args) => (await runFixtureGit(folder, args)).toString('utf8').trimEnd(),
    remove: () => rm(parent ? folder : made, { recursive: true, force: true }),
  };
  if (entriesOf(files).length > 0) await repository.commit(files);
  return repository;
}

/** Made once in a process: copying it takes a fraction of the time that git takes to make another. */
const emptyRepositories = new Map<string, Promise<string>>();

function emptyRepository(branch: string, objectFormat: string): Promise<string> {
  const key = `${objectFormat} ${branch}`;
  const made = emptyRepositories.get(key) ?? makeEmptyRepository(branch, objectFormat);
  emptyRepositories.set(key, made);
  return made;
}

async function makeEmptyRepository(branch: string, objectFormat: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-git-'));
  await runFixtureGit(folder, [
    ...['init', '--quiet', '--bare', '--template='],
    ...[`--object-format=${objectFormat}`, `--initial-branch=${branch}`],
  ]);
  // As in the default template, but empty.
  for (const name of ['hooks', 'info']) await mkdir(join(folder, name));
  return folder;
}

/** Every kind of difficult entry and name: what a tree may contain besides plain files with plain names. */
export function oddFiles(
  objectFormat: 'sha1' | 'sha256' = 'sha1',
): [path: string | Buffer, file: FixtureFile][] {
  return [
    ['plain.txt', 'plain\n'],
    ['empty.txt', ''],
    ['folder with spaces/file with spaces.txt', 'spaces\n'],
    ['quotes/"double" and \'single\'.txt', 'quotes\n'],
    ['new\nline.txt', 'newline\n'],
    ['tab\tand\\backslash.txt', 'tab\n'],
    ['unicode/größe-文件-🙂.txt', 'unicode\n'],
    [Buffer.from('latin1/caf\xe9.txt', 'latin1'), 'latin1\n'],
    ['-leading-dash.txt', 'dash\n'],
    ['--output=x', 'option\n'],
    [':(glob)magic.txt', 'pathspec\n'],
    ['.hidden/.gitattributes', '* filter=hostile diff=hostile\n'],
    ['script.sh', { executable: '#!/bin/sh\necho hello\n' }],
    ['link', { symlink: 'plain.txt' }],
    ['link-outside', { symlink: '/etc/passwd' }],
    ['vendor/module', { submodule: '1'.repeat(objectFormat === 'sha1' ? 40 : 64) }],
    ['.gitmodules', '[submodule "vendor/module"]\n\tpath = vendor/module\n\turl = ext::sh -c id\n'],
    ['binary.dat', Buffer.from([0, 1, 2, 3, 0xff, 0xfe, 10, 0])],
    ['crlf.txt', 'one\r\ntwo\r\n'],
    ['no-newline.txt', 'no newline at the end'],
    ['invalid-utf8.txt', Buffer.from('caf\xe9\n', 'latin1')],
    ['lfs.bin', lfsPointer('a'.repeat(64), 1_073_741_824)],
  ];
}

export function lfsPointer(sha256: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${size}\n`;
}

/** Runs git without system or user configuration and returns the output. */
export async function runFixtureGit(cwd: string, args: string[], input?: Buffer): Promise<Buffer> {
  const child = spawn('git', args, { cwd, env: fixtureEnvironment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((done, fail) => child.on('close', done).on('error', fail));
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}: ${Buffer.concat(errors)}`);
  return Buffer.concat(output);
}

export function fixtureEnvironment(): Record<string, string | undefined> {
  const { PATH, TMPDIR } = process.env;
  return {
    PATH,
    TMPDIR,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: NOBODY.name,
    GIT_AUTHOR_EMAIL: NOBODY.email,
    GIT_COMMITTER_NAME: NOBODY.name,
    GIT_COMMITTER_EMAIL: NOBODY.email,
  };
}

async function startingPoint(
  repository: FixtureRepository,
  target: string,
  from: string | null | undefined,
): Promise<string | null> {
  if (from !== undefined) return from;
  const written = await readFile(join(repository.folder, target), 'latin1').catch(() => '');
  if (/^[0-9a-f]{40,64}\n$/.test(written)) return written.trim();
  const existing = await repository.git('for-each-ref', '--format=%(objectname)', '--', target);
  return existing === '' ? null : existing;
}

function importStream(
  files: FixtureFiles,
  commit: { target: string; message: string; from: string | null; seconds: number } & Required<
    Pick<Authorship, 'author'>
  >,
): Buffer {
  const parts: (string | Buffer)[] = [
    // A reset detaches the branch from its old history, which `commit` alone would continue.
    ...(commit.from === null ? [`reset ${commit.target}\n`] : []),
    `commit ${commit.target}\nmark :1\n`,
    `committer ${commit.author.name} <${commit.author.email}> ${commit.seconds} +0000\n`,
    ...data(commit.message),
    ...(commit.from === null ? [] : [`from ${commit.from}\n`]),
  ];
  for (const [path, file] of entriesOf(files)) {
    const name = quoted(path);
    if (file === null) parts.push(`D ${name}\n`);
    else if (typeof file === 'string' || Buffer.isBuffer(file))
      parts.push(`M 100644 inline ${name}\n`, ...data(file));
    else if ('executable' in file) parts.push(`M 100755 inline ${name}\n`, ...data(file.executable));
    else if ('symlink' in file) parts.push(`M 120000 inline ${name}\n`, ...data(file.symlink));
    else parts.push(`M 160000 ${file.submodule} ${name}\n`);
  }
  parts.push('\nget-mark :1\ndone\n');
  return Buffer.concat(parts.map((part) => Buffer.from(part as string)));
}

function data(content: string | Buffer): (string | Buffer)[] {
  return [`data ${Buffer.byteLength(content)}\n`, content, '\n'];
}

function entriesOf(files: FixtureFiles): [path: string | Buffer, file: FixtureFile][] {
  return Array.isArray(files) ? files : Object.entries(files);
}

/** Escapes every special byte as three octal digits, which fast-import accepts in any name. */
function quoted(path: string | Buffer): string {
  const bytes = [...Buffer.from(path as string)];
  const escaped = bytes.map((byte) =>
    /[\w./ -]/.test(String.fromCharCode(byte)) && byte < 128
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, '0')}`,
  );
  return `"${escaped.join('')}"`;
}
