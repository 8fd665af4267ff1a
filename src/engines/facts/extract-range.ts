/** Extracts the facts of files that have none, and writes them as a shard. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { showPath } from '../../platform/core/text/path-text.ts';
import { readObjects } from '../git/index.ts';
import { bytesIn, idOf, pathOf, textOfBlob } from '../search/index.ts';
import { type ExtractedFile, emptyFacts, extractFacts } from './extract-facts.ts';
import { languageOf } from './language.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import type { ExtractRequests, FactFolders, FileRange } from './messages.ts';
import { type JoinedFiles, readCommit } from './open-commits.ts';
import { maintain } from './store/maintain.ts';
import { keyOf } from './store/shard-set.ts';
import { ShardWriter } from './store/write-shard.ts';

/** Files per shard. */
const SHARD_FILES = 2000;
/** Fewer files are not worth a second process. */
const MIN_SHARED_FILES = 400;

type Plan = ExtractRequests['planFacts'];
type Extraction = ExtractRequests['extractRange'];

export async function planFacts(
  folders: FactFolders,
  { commit, maxBytes }: Plan['params'],
): Promise<Plan['result']> {
  const isComplete = await readCommit(folders, commit, (joined) => {
    if (joined.lacking === 0) return true;
    if (bytesIn(folders.factsFolder) > maxBytes) clear(folders.factsFolder, joined);
    else maintain(folders.factsFolder, joined.files.idBytes, joined.set);
    return false;
  });
  if (isComplete) return { lacking: 0, ranges: [] };
  return readCommit(folders, commit, (joined) => ({ lacking: joined.lacking, ranges: divide(joined) }));
}

/** Facts of commits that nobody asks for anymore leave when there is no room; what is needed is extracted again. */
function clear(folder: string, { set }: JoinedFiles): void {
  for (const { name } of set.shards) rmSync(join(folder, `${name}.facts`), { force: true });
}

function divide({ factsOf, files, lacking }: JoinedFiles): FileRange[] {
  if (lacking === 0) return [];
  const count = lacking < MIN_SHARED_FILES ? 1 : Math.max(2, Math.ceil(lacking / SHARD_FILES));
  const share = Math.ceil(lacking / count);
  const ranges: FileRange[] = [];
  let [from, held] = [0, 0];
  for (let file = 0; file < files.count; file += 1) {
    if (factsOf[file] === -1) held += 1;
    if (held === share || file === files.count - 1) {
      if (held > 0) ranges.push({ from, to: file + 1 });
      [from, held] = [file + 1, 0];
    }
  }
  return ranges;
}

export async function extractRange(
  folders: FactFolders,
  { commit, from, maxBytes, skipped, to }: Extraction['params'],
  onFile: (file: number) => void,
  signal: AbortSignal,
): Promise<Extraction['result']> {
  const { factsOf, files } = await readCommit(folders, commit, (joined) => ({
    factsOf: joined.factsOf,
    files: joined.files,
  }));
  const wanted: number[] = [];
  for (let file = from; file < to; file += 1) if (factsOf[file] === -1) wanted.push(file);
  const room = maxBytes - bytesIn(folders.factsFolder);
  const outcome = { added: 0, leftOut: 0, memoryBytes: 0 };
  const skip = new Map(skipped.map(({ file, incomplete }) => [file, incomplete]));
  const writer = new ShardWriter(folders.factsFolder, files.idBytes);
  const ids = wanted.map((file) => idOf(files, file));
  await readObjects(folders.gitDir, ids, { maxBytes: MAX_FILE_BYTES, signal }, async (answer, position) => {
    const file = wanted[position]!;
    const path = showPath(pathOf(files, file));
    // A partial clone lacks some objects; a later fetch may bring them.
    if (typeof answer === 'string') return;
    if (writer.bytes > room) {
      outcome.leftOut += 1;
      return;
    }
    onFile(file);
    const facts = skip.has(file)
      ? { ...emptyFacts(languageOf(path)), incomplete: skip.get(file)! }
      : await extractBlob(path, answer.content);
    writer.add(keyOf(files, file), facts);
    outcome.added += 1;
  });
  writer.finish();
  return { ...outcome, memoryBytes: process.memoryUsage.rss() };
}

async function extractBlob(path: string, content: Buffer | undefined | null): Promise<ExtractedFile> {
  if (!content) return { ...emptyFacts(languageOf(path)), incomplete: 'too_large' };
  const text = textOfBlob(content);
  return text.kind === 'text' ? extractFacts({ path, text: text.bytes.toString() }) : emptyFacts(null);
}
