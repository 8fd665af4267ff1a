/** The Markdown files directly in a folder of a commit. The folder is read alone: listing all files of a large commit takes longer, and memory. */
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';

/** Per folder, other files included. */
const MAX_ENTRIES = 10_000;

export async function listMarkdownFiles(
  code: Pick<CodeReader, 'read'>,
  place: { repositoryId: string; commit: string; folder: string },
  call: Call,
): Promise<string[]> {
  const { commit, folder, repositoryId } = place;
  const listing = await code.read(
    'listTree',
    repositoryId,
    { commit, path: folder.replace(/\/$/, ''), limit: MAX_ENTRIES },
    call,
  );
  if (listing.kind !== 'tree') return [];
  return listing.entries.flatMap(({ kind, path }) => (kind === 'file' && path.endsWith('.md') ? [path] : []));
}
