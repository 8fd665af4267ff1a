/** Imports of Python that a file does without. */
import type { FoundLine, ReviewCode } from '../../code/review-code.ts';

/** An import of Python inside `try` with `except ImportError`: the file does without it. */
export async function isOptionalImport(
  code: ReviewCode,
  { line, path }: Pick<FoundLine, 'line' | 'path'>,
): Promise<boolean> {
  const lines = (await code.read('head', path))?.split('\n') ?? [];
  const indentOf = (at: number) => lines[at]?.search(/\S/) ?? -1;
  let indent = indentOf(line - 1);
  let isImport = /^\s*(from|import)\b/.test(lines[line - 1] ?? '');
  for (let at = line - 2; at >= 0 && indent > 0; at--) {
    const above = indentOf(at);
    if (above === -1 || above >= indent) continue;
    indent = above;
    const text = lines[at]!.slice(above);
    // The names that it imports can be on lines of their own.
    isImport ||= text.startsWith('from ');
    if (!isImport || !/^try\s*:/.test(text)) continue;
    const next = lines.findIndex(
      (each, index) => index > at && indentOf(index) === above && /^\s*\w/.test(each),
    );
    return /^\s*except\b.*\b(Import|ModuleNotFound)Error\b/.test(lines[next] ?? '');
  }
  return false;
}
