/** The expected results: what ripgrep finds in the files of a commit, checked out as plain files. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { runFixtureGit } from '../helpers/git/git-fixtures.ts';

/** Paths here are bytes, one to a character. */
export interface Checkout {
  folder: string;
  /** Every file and link of the commit, in git's order. */
  paths: string[];
  links: Set<string>;
  /** Files that contain a NUL: they aren't searched. */
  binary: Set<string>;
  /** By path. */
  contents: Map<string, Buffer>;
}

export async function checkOut(gitDir: string, commit: string, folder: string): Promise<Checkout> {
  const listing = (await runFixtureGit(gitDir, ['ls-tree', '-r', '-z', commit])).toString('latin1');
  const entries = listing
    .split('\0')
    .filter(Boolean)
    .map((line) => /^(\d+) (\w+) (\w+)\t([\s\S]*)$/.exec(line)!.slice(1) as [string, string, string, string])
    .filter(([, type]) => type === 'blob');
  const plain = entries.filter(([mode]) => mode !== '120000');
  const ids = [...new Set(plain.map(([, , id]) => id))];
  const byId = await readBlobs(gitDir, ids);
  mkdirSync(folder, { recursive: true });
  const contents = new Map(plain.map(([, , id, path]) => [path, byId.get(id)!]));
  for (const [path, content] of contents) {
    const folderEnd = path.lastIndexOf('/');
    if (folderEnd !== -1) mkdirSync(bytesOf(`${folder}/${path.slice(0, folderEnd)}`), { recursive: true });
    writeFileSync(bytesOf(`${folder}/${path}`), content);
  }
  const nul = await runRipgrep(folder, ['--files-with-matches', '--null', '--regexp=\\x00']);
  return {
    folder,
    paths: entries.map(([, , , path]) => path),
    links: new Set(entries.flatMap(([mode, , , path]) => (mode === '120000' ? [path] : []))),
    binary: new Set(nul!.split('\0').filter(Boolean).map(withoutDot)),
    contents,
  };
}

/** The numbers of the lines that match, by path; undefined when ripgrep refuses the pattern. */
export async function findLines(
  { binary, folder }: Checkout,
  pattern: string,
): Promise<Map<string, number[]> | undefined> {
  // With at most one column the text of long lines is omitted, so that it can't be mistaken for a path.
  const output = await runRipgrep(folder, [
    '--null',
    '--line-number',
    '--max-columns=1',
    `--regexp=${pattern}`,
  ]);
  if (output === undefined) return undefined;
  const found = new Map<string, number[]>();
  for (let at = 0; at < output.length; ) {
    const nul = output.indexOf('\0', at);
    const path = withoutDot(output.slice(at, nul));
    const line = Number.parseInt(output.slice(nul + 1, output.indexOf(':', nul)), 10);
    at = output.indexOf('\n', nul) + 1;
    if (binary.has(path)) continue;
    const lines = found.get(path);
    if (lines) lines.push(line);
    else found.set(path, [line]);
  }
  return found;
}

/** With ripgrep's own encoding detection, including hidden and ignored files, without following links. */
const OPTIONS = ['--no-config', '-uu', '--text', '--color=never', '--no-heading', '--with-filename'];

function runRipgrep(folder: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    execFile(
      rgPath,
      [...OPTIONS, ...args, '--', '.'],
      { cwd: folder, encoding: 'latin1', maxBuffer: 2 ** 29 },
      (error, stdout, stderr) => {
        if (!error || error.code === 1) resolve(stdout);
        else if (error.code === 2 && stdout === '') resolve(undefined);
        else reject(new Error(`ripgrep failed: ${stderr || error.message}`));
      },
    );
  });
}

async function readBlobs(gitDir: string, ids: string[]): Promise<Map<string, Buffer>> {
  const output = await runFixtureGit(gitDir, ['cat-file', '--batch'], Buffer.from(`${ids.join('\n')}\n`));
  const blobs = new Map<string, Buffer>();
  let at = 0;
  for (const id of ids) {
    const headerEnd = output.indexOf('\n', at);
    const size = Number(output.toString('latin1', at, headerEnd).split(' ')[2]);
    blobs.set(id, output.subarray(headerEnd + 1, headerEnd + 1 + size));
    at = headerEnd + size + 2;
  }
  return blobs;
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function withoutDot(path: string): string {
  return path.replace(/^\.\//, '');
}
