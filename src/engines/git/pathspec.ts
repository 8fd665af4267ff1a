/** Paths as arguments that limit what git compares. */
import { isUtf8 } from 'node:buffer';
import { readPath } from '../../platform/core/path-text.ts';

/** An argument can't hold bytes that aren't UTF-8, so a pattern stands for them. */
export function asPathspec(path: string): string {
  const bytes = readPath(path);
  if (isUtf8(bytes)) return `:(literal,top)${bytes}`;
  const pattern = bytes.toString('latin1').replaceAll(/[*?[\\]/g, '\\$&');
  return `:(glob,top)${pattern.replaceAll(/[\u0080-\u00ff]/g, '?')}`;
}
