/** Streams the branches and tags of a mirror in batches, each with the commit it resolves to. */

import { isUtf8 } from 'node:buffer';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { readHeadFile } from './default-branch.ts';
import { cleanStderr, GitFailure } from './git-failure.ts';
import { runGit, startGit } from './run-git.ts';

const KEPT_CHARACTERS = 4000;

export interface MirrorRef {
  /** Without `refs/heads/` or `refs/tags/`. */
  name: string;
  kind: 'branch' | 'tag';
  commit: string;
}

export interface MirrorRefs {
  objectFormat: 'sha1' | 'sha256';
  /** Null when there is none yet, or its name isn't valid UTF-8. */
  defaultBranch: string | null;
  headCommit: string | null;
  refs: MirrorRef[];
  /** How many were skipped because their names aren't UTF-8. */
  unreadableNames: number;
}

export async function listRefs(gitDir: string, signal?: AbortSignal): Promise<MirrorRefs> {
  const format = await runGit(['rev-parse', '--show-object-format'], { gitDir, signal });
  const head = readHeadFile(await readFile(join(gitDir, 'HEAD'), 'latin1'));
  const { refs, unreadableNames } = await peelRefs(gitDir, signal);
  const headRef = Buffer.from(head.ref ?? '', 'latin1').toString('utf8');
  const isHead = (ref: MirrorRef) => ref.kind === 'branch' && `refs/heads/${ref.name}` === headRef;
  const defaultBranch = refs.find(isHead);
  return {
    objectFormat: format.stdout.toString().trim() === 'sha256' ? 'sha256' : 'sha1',
    defaultBranch: defaultBranch?.name ?? null,
    headCommit: defaultBranch?.commit ?? null,
    refs,
    unreadableNames,
  };
}

/** One git lists the refs and another resolves each to its commit; refs without one, such as a tag of a tree, are skipped. */
async function peelRefs(
  gitDir: string,
  signal: AbortSignal | undefined,
): Promise<{ refs: MirrorRef[]; unreadableNames: number }> {
  const stop = new AbortController();
  const both = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const lister = startGit(
    ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'],
    {
      gitDir,
      signal: both,
    },
  );
  const peeler = startGit(['cat-file', '--batch-check=%(objectname) %(objecttype)', '--buffer'], {
    gitDir,
    signal: both,
  });
  const waiting: Omit<MirrorRef, 'commit'>[] = [];
  const refs: MirrorRef[] = [];
  let unreadableNames = 0;
  const list = async () => {
    for await (const lines of linesOf(lister.stdout)) {
      let questions = '';
      for (const line of lines) {
        const ref = parseRef(line);
        if (ref === null) {
          unreadableNames += 1;
          continue;
        }
        waiting.push({ name: ref.name, kind: ref.kind });
        questions += `${ref.id}^{commit}\n`;
      }
      if (!peeler.stdin.write(questions)) await once(peeler.stdin, 'drain');
    }
    peeler.stdin.end();
  };
  const peel = async () => {
    let index = 0;
    for await (const lines of linesOf(peeler.stdout))
      for (const line of lines) {
        const [commit, type] = line.toString('latin1').split(' ');
        const ref = waiting[index]!;
        index += 1;
        if (type === 'commit') refs.push({ ...ref, commit: commit! });
      }
  };
  try {
    await Promise.all([list(), peel(), succeeded(lister, 'for-each-ref'), succeeded(peeler, 'cat-file')]);
  } catch (error) {
    stop.abort();
    throw signal?.aborted ? new GitFailure('for-each-ref', 'aborted', null, '') : error;
  }
  return { refs, unreadableNames };
}

/** The name as text and the id of its target; null when the name isn't UTF-8. */
function parseRef(line: Buffer): { id: string; name: string; kind: 'branch' | 'tag' } | null {
  const space = line.indexOf(' ');
  const refName = line.subarray(space + 1);
  if (!isUtf8(refName)) return null;
  const [, folder, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(refName.toString('utf8'))!;
  const kind = folder === 'heads' ? 'branch' : 'tag';
  return { id: line.toString('latin1', 0, space), name: name!, kind };
}

/** The complete lines of each chunk. */
async function* linesOf(stream: Readable): AsyncGenerator<Buffer[]> {
  let rest = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      lines.push(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    yield lines;
  }
}

async function succeeded(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
  });
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) throw new GitFailure(command, 'exit', exitCode, cleanStderr(said));
}
