/** What of a blob is searched: the bytes that ripgrep would look at in a file with this content, or none. */

/** Files that are larger are never searched or shown, and replies say so. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A file that holds a NUL is binary, wherever that stands. */
export type BlobText = { kind: 'text'; bytes: Buffer } | { kind: 'binary' };

export function textOfBlob(content: Buffer): BlobText {
  const bytes = decode(content);
  return bytes.includes(0) ? { kind: 'binary' } : { kind: 'text', bytes };
}

/** As ripgrep does: a mark at the beginning says how the rest is encoded, and is not part of the text. */
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
