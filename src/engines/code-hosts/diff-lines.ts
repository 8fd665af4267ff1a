/** Reads the lines that a unified diff shows, and their numbers on the other side: hosts accept comments only there. */

export interface DiffLines {
  /** Every shown line of the new file, with its number in the old one; null if it was added. */
  new: Map<number, number | null>;
  /** Every shown line of the old file, with its number in the new one; null if it was removed. */
  old: Map<number, number | null>;
}

/** The hunks of one file. Lines before the first `@@` are ignored. */
export function readHunks(patch: string): DiffLines {
  const lines: DiffLines = { new: new Map(), old: new Map() };
  let oldLine = 0;
  let newLine = 0;
  let oldLeft = 0;
  let newLeft = 0;
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (header && oldLeft <= 0 && newLeft <= 0) {
      [oldLine, newLine] = [Number(header[1]), Number(header[3])];
      [oldLeft, newLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
      continue;
    }
    if (oldLeft <= 0 && newLeft <= 0) continue;
    if (text.startsWith('+')) {
      lines.new.set(newLine++, null);
      newLeft -= 1;
    } else if (text.startsWith('-')) {
      lines.old.set(oldLine++, null);
      oldLeft -= 1;
    } else if (!text.startsWith('\\')) {
      lines.new.set(newLine, oldLine);
      lines.old.set(oldLine++, newLine++);
      oldLeft -= 1;
      newLeft -= 1;
    }
  }
  return lines;
}

/** The output of `git diff` for many files, by path: the new one, and the old one of removed files. */
export function readDiff(diff: string): Map<string, DiffLines> {
  const files = new Map<string, DiffLines>();
  for (const part of diff.split(/^(?=diff --git )/m)) {
    const head = part.split(/^@@ /m, 1)[0]!;
    const path = pathOf(/^\+\+\+ (.+)$/m.exec(head)?.[1]) ?? pathOf(/^--- (.+)$/m.exec(head)?.[1]);
    if (path !== undefined) files.set(path, readHunks(part.slice(head.length)));
  }
  return files;
}

/** `a/path` or `"b/p\303\244th"`; undefined for `/dev/null`. */
function pathOf(name: string | undefined): string | undefined {
  const plain = name?.startsWith('"') ? unquote(name) : name?.replace(/\t$/, '');
  return plain === undefined || !/^[ab]\//.test(plain) ? undefined : plain.slice(2);
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Git quotes unusual paths as in C, byte by byte. */
function unquote(quoted: string): string {
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of quoted.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(plain!));
  }
  return Buffer.from(bytes).toString('utf8');
}

/** Whether both ends of a comment are shown. */
export function isShown(
  lines: DiffLines | undefined,
  { endLine, side, startLine }: { side: 'new' | 'old'; startLine: number; endLine: number },
): boolean {
  return endLine > 0 && lines !== undefined && lines[side].has(startLine) && lines[side].has(endLine);
}
