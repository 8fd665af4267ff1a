/** The searchable text of a blob: the bytes that ripgrep would search in a file with this content, if any. */

/** Larger files are never searched or shown, and replies say so. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A file with a NUL anywhere is binary. */
export type BlobText = { kind: 'text'; bytes: Buffer } | { kind: 'binary' };

export function textOfBlob(content: Buffer): BlobText {
  const bytes = decode(content);
  return bytes.includes(0) ? { kind: 'binary' } : { kind: 'text', bytes };
}

/** Like ripgrep: a byte order mark determines the encoding and isn't part of the text. */
function decode(content: Buffer): Buffer {
  if (content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf) return content.subarray(3);
  if (content[0] === 0xff && content[1] === 0xfe) {
    return Buffer.from(new TextDecoder('utf-16le').decode(content));
  }
  if (content[0] === 0xfe && content[1] === 0xff) {
    return Buffer.from(new TextDecoder('utf-16be').decode(content));
  }
  return content;
}
