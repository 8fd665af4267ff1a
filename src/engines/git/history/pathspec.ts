/** Paths as arguments that limit what git compares. */
import { isUtf8 } from 'node:buffer';
import { readPath } from '../../../platform/core/text/path-text.ts';

/** The length of all arguments together is limited. */
const MAX_BYTES = 500_000;

/** None, which means all paths, when they are too long for git's arguments. */
export function asPathspecs(paths: readonly string[] = []): string[] {
  const pathspecs = paths.map(asPathspec);
  const bytes = pathspecs.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
  return bytes <= MAX_BYTES ? pathspecs : [];
}

/** An argument can't hold bytes that aren't UTF-8, so a pattern stands for them. */
function asPathspec(path: string): string {
  const bytes = readPath(path);
  if (isUtf8(bytes)) return `:(literal,top)${bytes}`;
  const pattern = bytes.toString('latin1').replaceAll(/[*?[\\]/g, '\\$&');
  return `:(glob,top)${pattern.replaceAll(/[\u0080-\u00ff]/g, '?')}`;
}
