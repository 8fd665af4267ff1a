/** A description without what its template left in it: comments, and headings that nobody wrote anything under. Pure. */

const COMMENT = /<!--[\s\S]*?-->/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;

export function writtenIn(description: string): string {
  const lines = withoutComments(description.replaceAll('\r\n', '\n').split('\n'));
  const levels = levelsOf(lines);
  const kept = lines.filter((_, index) => {
    const level = levels[index]!;
    if (level === 0) return true;
    const end = levels.findIndex((other, at) => at > index && other > 0 && other <= level);
    // A heading stays with what is written under it or its subheadings.
    return lines
      .slice(index + 1, end === -1 ? undefined : end)
      .some((line, at) => levels[index + 1 + at] === 0 && line.trim() !== '');
  });
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** A block of code can show a comment. */
function withoutComments(lines: string[]): string[] {
  const parts: { isCode: boolean; lines: string[] }[] = [];
  for (const [index, isCode] of codeLines(lines).entries()) {
    const last = parts.at(-1);
    if (last?.isCode === isCode) last.lines.push(lines[index]!);
    else parts.push({ isCode, lines: [lines[index]!] });
  }
  return parts.flatMap((part) =>
    part.isCode ? part.lines : part.lines.join('\n').replace(COMMENT, '').split('\n'),
  );
}

/** The level of the heading in each line; 0: none. */
function levelsOf(lines: string[]): number[] {
  const isCode = codeLines(lines);
  return lines.map((line, index) => (isCode[index] ? 0 : (HEADING.exec(line)?.[1]?.length ?? 0)));
}

function codeLines(lines: string[]): boolean[] {
  let fence: string | undefined;
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark !== undefined;
    }
    if (mark?.startsWith(fence)) fence = undefined;
    return true;
  });
}
