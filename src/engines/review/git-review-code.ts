/** Reads the code of a review from a git repository on this machine, without an index. */
import type { FileFacts } from '../../platform/core/code-facts.ts';
import type { Side } from '../../platform/core/code-review.ts';
import { showPath } from '../../platform/core/path-text.ts';
import { extractFacts } from '../facts/index.ts';
import { GitFailure, listChanges, openObjects, readHunks, readOutput, splitOutput } from '../git/index.ts';
import type { FoundLines, ReviewCode } from './review-code.ts';

/** Larger files are not read. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_PATH_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 4 * 1024;
const MAX_FOUND_LINES = 5000;
/** git gets them as arguments. */
const MAX_TEXTS = 1000;
/** Of larger repositories, the rest counts as absent. */
const MAX_LISTED_FILES = 1_000_000;
/** Texts of files that several checks read. */
const MAX_KEPT_TEXTS = 500;

export interface GitReviewCode extends ReviewCode {
  close(): void;
}

export function openGitReviewCode(place: {
  gitDir: string;
  base: string;
  head: string;
  signal: AbortSignal;
}): GitReviewCode {
  const { base, gitDir, head, signal } = place;
  const pair = { gitDir, from: base, to: head, signal };
  const objects = openObjects(gitDir);
  const texts = new Map<string, Promise<string | null>>();
  const facts = new Map<string, Promise<FileFacts | null>>();
  const searches = new Map<string, Promise<FoundLines>>();
  const commitOf = (side: Side) => (side === 'base' ? base : head);

  const blobs = new Map<Side, Promise<Map<string, string>>>();
  const blobsOf = (side: Side) =>
    remember(blobs, side, () => listBlobs({ gitDir, commit: commitOf(side), signal }));

  async function readText(side: Side, path: string): Promise<string | null> {
    const id = (await blobsOf(side)).get(path);
    if (!id) return null;
    const answer = await objects.read(id, MAX_FILE_BYTES);
    if (typeof answer === 'string' || !answer.content) return null;
    return answer.content.includes(0) ? null : answer.content.toString('utf8');
  }

  return {
    base,
    head,
    listChanges: (limit) => listChanges({ ...pair, limit, counts: false }),
    hunks: (paths) => readHunks({ ...pair, paths }),
    read: (side, path) => remember(texts, `${side} ${path}`, () => readText(side, path)),
    facts: (side, path) =>
      remember(facts, `${side} ${path}`, async () => {
        const text = await remember(texts, `${side} ${path}`, () => readText(side, path));
        return text === null ? null : extractFacts({ path, text });
      }),
    listFiles: async (side) => [...(await blobsOf(side)).keys()],
    find: (side, wanted, { wholeWords }) =>
      remember(searches, [side, wholeWords, ...wanted].join('\0'), () =>
        grep({ gitDir, commit: commitOf(side), signal }, wanted, wholeWords),
      ),
    close: () => objects.close(),
  };
}

interface CommitPlace {
  gitDir: string;
  commit: string;
  signal: AbortSignal;
}

/** The ids of all files of a commit by their paths. */
async function listBlobs({ commit, gitDir, signal }: CommitPlace): Promise<Map<string, string>> {
  const blobs = new Map<string, string>();
  const output = readOutput(['ls-tree', '-r', '-z', '--full-tree', commit], { gitDir, signal });
  for await (const entry of splitOutput(output, 0, MAX_PATH_BYTES)) {
    const tab = entry.indexOf(9);
    const [, type, id] = entry.toString('latin1', 0, tab).split(' ');
    if (type === 'blob') blobs.set(showPath(Buffer.from(entry.subarray(tab + 1))), id!);
    if (blobs.size === MAX_LISTED_FILES) break;
  }
  return blobs;
}

async function grep(
  { commit, gitDir, signal }: CommitPlace,
  texts: string[],
  wholeWords: boolean,
): Promise<FoundLines> {
  const found: FoundLines = { lines: [], truncated: texts.length > MAX_TEXTS };
  if (texts.length === 0) return found;
  const args = ['grep', '-n', '-z', '-I', '-F', '--no-color', '--full-name', ...(wholeWords ? ['-w'] : [])];
  for (const text of texts.slice(0, MAX_TEXTS)) args.push('-e', text);
  const output = readOutput([...args, commit, '--'], { gitDir, signal });
  try {
    for await (const line of splitOutput(output, 10, MAX_PATH_BYTES + MAX_LINE_BYTES)) {
      if (found.lines.length === MAX_FOUND_LINES) {
        found.truncated = true;
        break;
      }
      addLine(found, line, commit);
    }
  } catch (error) {
    // git exits with 1 when nothing matches.
    if (!(error instanceof GitFailure && error.reason === 'exit' && error.exitCode === 1)) throw error;
  }
  return found;
}

/** `<commit>:<path>`, the number and the text, with zero bytes between them. */
function addLine(found: FoundLines, line: Buffer, commit: string): void {
  const pathEnd = line.indexOf(0);
  const numberEnd = line.indexOf(0, pathEnd + 1);
  if (pathEnd === -1 || numberEnd === -1) return;
  found.lines.push({
    path: showPath(Buffer.from(line.subarray(commit.length + 1, pathEnd))),
    line: Number(line.toString('latin1', pathEnd + 1, numberEnd)),
    text: line.toString('utf8', numberEnd + 1, numberEnd + 1 + MAX_LINE_BYTES),
  });
}

function remember<Key, Value>(
  kept: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MAX_KEPT_TEXTS) kept.delete(kept.keys().next().value!);
  const made = make();
  kept.set(key, made);
  return made;
}
