/** The facts of a file for reviews: from memory, from those that were extracted before, or from its text. */
import type { FileFacts } from '../../../platform/core/ports/code-facts.ts';
import { createBoundedCache } from '../../../platform/core/work/bounded-cache.ts';
import { extractFacts, type StoredFacts } from '../../facts/index.ts';
import { type CommitFiles, idOf } from '../../search/index.ts';

/** Size of the files whose facts are kept. Facts take more: those of 16 MiB made the heap 40 MB larger. */
const MAX_FACTS_BYTES = 4 * 1024 * 1024;
const TYPICAL_LINE_BYTES = 40;

/** Facts depend only on a file's content and path, so reviews share them, whatever the repository. */
const keptFacts = createBoundedCache<FileFacts>(MAX_FACTS_BYTES);

export async function factsOf(
  {
    file,
    files,
    path,
    stored,
  }: { files: CommitFiles; file: number; path: string; stored?: StoredFacts | undefined },
  read: () => Promise<string | null>,
  extractors?: readonly [],
): Promise<FileFacts | null> {
  const key = `${idOf(files, file)} ${path}`;
  const ownKey = extractors ? `symbols ${key}` : key;
  const kept = keptFacts.get(key) ?? keptFacts.get(ownKey);
  if (kept) return kept;
  const known = stored?.read(files, file);
  if (known) {
    keptFacts.set(key, known, known.lines * TYPICAL_LINE_BYTES + 1000);
    return known;
  }
  const text = await read();
  if (text === null) return null;
  const extracted = await extractFacts({ path, text }, extractors);
  keptFacts.set(ownKey, extracted, text.length + 1000);
  return extracted;
}
