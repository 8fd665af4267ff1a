/** Reads the history of a folder: the commits that changed it, with the content of the folder at each. */
import { createBatchParser } from '../run/batch-parser.ts';
import { readOutput, splitOutput } from '../run/read-output.ts';
import { startGit } from '../run/run-git.ts';

const MAX_LINE_BYTES = 16 * 1024;
const MAX_TREE_BYTES = 16 * 1024 * 1024;
const LINE_FEED = 10;
/** Names written to git at once. */
const NAMES_AT_ONCE = 200;

export interface FolderVersion {
  commit: string;
  /** The nearest earlier commits that changed the folder. */
  parents: string[];
  /** The tree object; null when the commit has no such folder. Valid only until the next version. */
  tree: Buffer | null;
}

/** Newest first. The path must not contain a line feed, and is empty for the root. Aborting the signal kills git. */
export async function readFolderHistory(
  { commit, gitDir, path, signal }: { gitDir: string; commit: string; path: string; signal: AbortSignal },
  take: (version: FolderVersion) => void,
): Promise<void> {
  const child = startGit(['cat-file', '--batch', '--buffer'], { gitDir, signal });
  const waiting: { commit: string; parents: string[] }[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  closed.catch(() => undefined);
  child.stdin.on('error', () => undefined);
  const parse = createBatchParser(
    () => MAX_TREE_BYTES,
    (answer) => {
      const version = waiting.shift();
      if (!version || signal.aborted) return;
      const tree = typeof answer === 'object' && answer.type === 'tree' ? answer.content : null;
      take({ ...version, tree });
    },
  );
  const list = async () => {
    const args = ['rev-list', '--parents', commit, ...(path === '' ? [] : ['--', `:(literal,top)${path}`])];
    let names: string[] = [];
    const write = async () => {
      const isRoom = child.stdin.write(names.join(''));
      names = [];
      if (!isRoom) await Promise.race([new Promise((go) => child.stdin.once('drain', go)), closed]);
    };
    const output = readOutput(args, { gitDir, signal, timeoutMs: Number.POSITIVE_INFINITY });
    for await (const line of splitOutput(output, LINE_FEED, MAX_LINE_BYTES)) {
      const [id, ...parents] = line.toString('latin1').split(' ') as [string, ...string[]];
      waiting.push({ commit: id, parents });
      names.push(`${id}:${path}\n`);
      if (names.length >= NAMES_AT_ONCE) await write();
    }
    await write();
    child.stdin.end();
  };
  try {
    const listing = list();
    listing.catch(() => child.kill('SIGKILL'));
    for await (const chunk of child.stdout) await parse(chunk as Buffer);
    await listing;
    await closed;
  } finally {
    child.kill('SIGKILL');
  }
}
