/** Reads an image of a commit, if its content is one that pages show. */
import type { CodeRequests, ImageReading, ImageType } from '../../../platform/core/ports/code-reader.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import { textOfBlob } from '../shards/blob-text.ts';
import { MissingObject } from './commit-files.ts';
import { findPath } from './read-tree-path.ts';
import type { RepositoryReader } from './repository-reader.ts';

export async function readImage(
  reader: RepositoryReader,
  { commit, maxBytes, path }: CodeRequests['readImage']['params'],
): Promise<ImageReading> {
  const found = await findPath(reader, commit, readPath(path));
  if (!found) return { kind: 'no_path' };
  if (found.kind !== 'file') return { kind: 'not_an_image' };
  const answer = await reader.objects.read(found.id, maxBytes);
  if (typeof answer === 'string') throw new MissingObject(`The repository lacks the blob ${found.id}.`);
  if (!answer.content) return { kind: 'too_large' };
  const mediaType = imageTypeOf(answer.content, path);
  if (!mediaType) return { kind: 'not_an_image' };
  return { kind: 'image', mediaType, base64: answer.content.toString('base64') };
}

/** By content, as browsers decide; only an SVG, which is text, is recognized by its name too. */
function imageTypeOf(content: Buffer, path: string): ImageType | undefined {
  const start = content.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'image/webp';
  const text = /\.svg$/i.test(path) ? textOfBlob(content) : undefined;
  return text?.kind === 'text' && text.bytes.includes('<svg') ? 'image/svg+xml' : undefined;
}
