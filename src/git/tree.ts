/** Takes tree objects apart: entries of a mode, a name in bytes, and an object id. */

export type EntryMode = 'folder' | 'file' | 'symlink' | 'submodule';

export interface TreeEntryBytes {
  mode: EntryMode;
  /** Where the name stands in the tree's content. */
  nameStart: number;
  nameEnd: number;
  /** Where the id stands; it has as many bytes as the repository's ids have. */
  idStart: number;
}

/** A damaged object, or one that was made to do harm. */
export class MalformedTree extends Error {}

const SPACE = 32;

export function* parseTree(content: Buffer, idBytes: number): Generator<TreeEntryBytes> {
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(SPACE, at);
    const end = content.indexOf(0, space + 1);
    if (space === -1 || end === -1 || end + 1 + idBytes > content.length) {
      throw new MalformedTree('A tree object is cut off.');
    }
    yield {
      mode: modeOf(content, at, space),
      nameStart: space + 1,
      nameEnd: end,
      idStart: end + 1,
    };
    at = end + 1 + idBytes;
  }
}

/** Modes are octal digits without leading zeros: 40000, 100644, 100755 (100664 in old ones), 120000, 160000. */
function modeOf(content: Buffer, start: number, end: number): EntryMode {
  const mode = Number.parseInt(content.toString('latin1', start, end), 8) & 0o170000;
  if (mode === 0o040000) return 'folder';
  if (mode === 0o120000) return 'symlink';
  if (mode === 0o160000) return 'submodule';
  return 'file';
}
