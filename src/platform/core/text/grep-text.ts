/** Formats matching lines as the grep endpoint and its tool return them: `12:matching line`, `11-line of context`, `--` between runs. */

export function writeFoundLines(
  lines: readonly { number: number; text: string; isMatch: boolean }[],
): string {
  const written: string[] = [];
  for (const [index, { isMatch, number, text }] of lines.entries()) {
    const before = lines[index - 1];
    if (before && number > before.number + 1) written.push('--');
    written.push(`${number}${isMatch ? ':' : '-'}${text}`);
  }
  return written.join('\n');
}
