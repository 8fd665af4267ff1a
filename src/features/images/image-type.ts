/** Tells the kind of an image from its bytes, whatever it is called: only kinds that browsers show without running anything. Pure. */
import type { ImageType } from './contract.ts';

export function imageTypeOf(content: Buffer): ImageType | undefined {
  const start = content.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(start)) return 'image/webp';
  return undefined;
}
