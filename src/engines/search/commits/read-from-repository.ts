/** Reads a text that isn't indexed from the repository. */
import { textOfBlob } from '../shards/blob-text.ts';
import { MissingObject } from './commit-files.ts';
import type { RepositoryReader } from './repository-reader.ts';

export async function readFromRepository(
  { objects }: Pick<RepositoryReader, 'objects'>,
  { id }: { id: string },
  maxFileBytes: number,
): Promise<Buffer> {
  const answer = await objects.read(id, maxFileBytes);
  const text = typeof answer === 'object' && answer.content ? textOfBlob(answer.content) : undefined;
  if (text?.kind !== 'text') throw new MissingObject(`The repository no longer has the blob ${id}.`);
  return text.bytes;
}
