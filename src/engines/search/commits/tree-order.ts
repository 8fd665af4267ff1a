/**
 * Sorts the entries of a tree the way git does. Paths are found by binary search, so a tree written in another order
 * would hide its files from searches within a folder.
 */
import { parseTree, TreeEntries } from '../../git/index.ts';

const SLASH = 47;

/** Returns the tree itself when its entries are in order, as they nearly always are. */
export function inOrder(content: Buffer, idBytes: number): Buffer {
  return isInOrder(content, idBytes) ? content : sorted(content, idBytes);
}

function isInOrder(content: Buffer, idBytes: number): boolean {
  const entries = new TreeEntries(content, idBytes);
  let [start, end, isFolder] = [0, 0, false];
  for (let isFirst = true; entries.next(); isFirst = false) {
    const { nameEnd, nameStart } = entries;
    if (!isFirst && compare(content, start, end, isFolder, nameStart, nameEnd, entries.isFolder) > 0)
      return false;
    [start, end, isFolder] = [nameStart, nameEnd, entries.isFolder];
  }
  return true;
}

/** Like git: by bytes, with a slash appended to folder names. */
function compare(
  content: Buffer,
  start: number,
  end: number,
  isFolder: boolean,
  otherStart: number,
  otherEnd: number,
  isOtherFolder: boolean,
): number {
  const shared = Math.min(end - start, otherEnd - otherStart);
  for (let at = 0; at < shared; at += 1) {
    const difference = content[start + at]! - content[otherStart + at]!;
    if (difference !== 0) return difference;
  }
  return (
    byteAfter(content, start + shared, end, isFolder) -
    byteAfter(content, otherStart + shared, otherEnd, isOtherFolder)
  );
}

function byteAfter(content: Buffer, at: number, end: number, isFolder: boolean): number {
  if (at < end) return content[at]!;
  return at === end && isFolder ? SLASH : 0;
}

function sorted(content: Buffer, idBytes: number): Buffer {
  let entryStart = 0;
  const entries = [...parseTree(content, idBytes)].map(({ idStart, mode, nameEnd, nameStart }) => {
    const entry = {
      from: entryStart,
      to: idStart + idBytes,
      nameStart,
      nameEnd,
      isFolder: mode === 'folder',
    };
    entryStart = entry.to;
    return entry;
  });
  entries.sort((one, other) =>
    compare(
      content,
      one.nameStart,
      one.nameEnd,
      one.isFolder,
      other.nameStart,
      other.nameEnd,
      other.isFolder,
    ),
  );
  return Buffer.concat(entries.map(({ from, to }) => content.subarray(from, to)));
}
