/** Reads the signature and the comment of a definition from the lines around it. Pure. */

export interface DescribedDefinition {
  /** At most a few lines, without their common indentation. */
  signature: string;
  /** Empty without a comment. */
  comment: string;
}

const MAX_SIGNATURE_LINES = 6;
const MAX_LINE_CHARACTERS = 300;
const MAX_COMMENT_LINES = 8;
const LINE_COMMENT = /^\s*(?:\/\/[/!]?|#(?![[!])|--|;;+)\s?(.*)$/;
/** Between a definition and its comment. */
const DECORATION = /^\s*(?:@\w|#\[|\[\w[^\]]*\]\s*$)/;
const DOCSTRING = /^\s*[rRuU]?("""|''')(.*)$/;

/** `at` is the index of the definition's line. */
export function describeDefinition(lines: readonly string[], at: number): DescribedDefinition {
  const count = signatureLines(lines, at);
  const signature = dedent(lines.slice(at, at + count).map((line) => line.slice(0, MAX_LINE_CHARACTERS)));
  const comment = commentAbove(lines, at) || docstringBelow(lines, at + count);
  return { signature: signature.replace(/\s*\{\s*$/, ''), comment };
}

/** Until the brackets are closed and the line doesn't go on. */
function signatureLines(lines: readonly string[], at: number): number {
  let open = 0;
  for (let count = 1; count <= MAX_SIGNATURE_LINES; count += 1) {
    const line = lines[at + count - 1];
    if (line === undefined) return count - 1;
    for (const sign of line) {
      if (sign === '(' || sign === '[') open += 1;
      else if (sign === ')' || sign === ']') open -= 1;
    }
    if (open <= 0) return count;
  }
  return MAX_SIGNATURE_LINES;
}

function commentAbove(lines: readonly string[], at: number): string {
  let line = at - 1;
  while (line >= 0 && DECORATION.test(lines[line]!)) line -= 1;
  if (line < 0) return '';
  if (/\*\/\s*$/.test(lines[line]!)) {
    const end = line;
    while (line >= 0 && !/\/\*/.test(lines[line]!)) line -= 1;
    // A comment after code belongs to that code.
    if (line < 0 || !/^\s*\/\*/.test(lines[line]!)) return '';
    return cut(lines.slice(line, end + 1).map(withoutBlockSigns));
  }
  const texts: string[] = [];
  for (; line >= 0; line -= 1) {
    const found = LINE_COMMENT.exec(lines[line]!);
    if (!found) break;
    texts.unshift(found[1]!);
  }
  return cut(texts);
}

function withoutBlockSigns(line: string): string {
  return line
    .replace(/^\s*\/\*+!?\s?/, '')
    .replace(/\s*\*+\/\s*$/, '')
    .replace(/^\s*\*\s?/, '');
}

function docstringBelow(lines: readonly string[], from: number): string {
  const [, quotes, first] = DOCSTRING.exec(lines[from] ?? '') ?? [];
  if (quotes === undefined) return '';
  const texts: string[] = [];
  for (let line = from; line < lines.length; line += 1) {
    const text = line === from ? first! : lines[line]!.trim();
    const end = text.indexOf(quotes);
    texts.push(end === -1 ? text : text.slice(0, end));
    if (end !== -1) break;
  }
  return cut(texts);
}

function cut(texts: readonly string[]): string {
  const shown = texts.slice(0, MAX_COMMENT_LINES).map((text) => text.trimEnd().slice(0, MAX_LINE_CHARACTERS));
  const comment = shown.join('\n').trim();
  return texts.length > MAX_COMMENT_LINES ? `${comment} …` : comment;
}

function dedent(lines: readonly string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length);
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(indent).trimEnd()).join('\n');
}
