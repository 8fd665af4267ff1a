/** The front matter of a Markdown file, checked against a shape; mistakes are reported with their line and column. */
import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { repeatedKeyAt } from '../../../platform/core/text/yaml-keys.ts';
import { type RuleProblem, TOO_DEEP, tooDeepAt } from './check-rules.ts';

/** Editors on Windows write a mark at the start of a file. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
/** The parser takes about 2 s for each megabyte, during which nothing else runs. */
const MAX_CHARACTERS = 128 * 1024;

export type ReadFrontMatter<Value> =
  | {
      ok: true;
      value: Value;
      /** The text after it, and the length of the file before that. */
      rest: string;
      length: number;
    }
  | { ok: false; problems: RuleProblem[] };

export function readFrontMatter<Shape extends z.ZodType>(
  source: string,
  shape: Shape,
): ReadFrontMatter<z.output<Shape>> {
  const match = FRONT_MATTER.exec(source);
  if (match?.index !== 0) {
    const message = 'must start with front matter between two lines of three dashes';
    return { ok: false, problems: [{ line: 1, column: 1, message }] };
  }
  const [whole, front] = match as unknown as [string, string];
  if (front.length > MAX_CHARACTERS) {
    const message = `the front matter has more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters`;
    return { ok: false, problems: [{ line: 1, column: 1, message }] };
  }
  const deep = tooDeepAt(front);
  if (deep) return { ok: false, problems: [{ line: deep.line + 1, column: deep.column, message: TOO_DEEP }] };
  const counter = new LineCounter();
  const document = parseDocument(front, { lineCounter: counter, uniqueKeys: false });
  // The front matter starts on the second line.
  const at = (offset: number) => {
    const { col, line } = counter.linePos(offset);
    return { line: Math.max(1, line) + 1, column: Math.max(1, col) };
  };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos }) => ({
      ...at(pos[0]),
      message: message.replace(/ at line \d+, column \d+:[\s\S]*$/, ''),
    }));
    return { ok: false, problems };
  }
  const alias = findAlias(document);
  if (alias !== undefined)
    return { ok: false, problems: [{ ...at(alias), message: 'aliases can’t be used here' }] };
  const repeated = repeatedKeyAt(document);
  if (repeated !== undefined)
    return { ok: false, problems: [{ ...at(repeated), message: 'Map keys must be unique' }] };
  const parsed = shape.safeParse(document.toJS());
  if (parsed.success)
    return { ok: true, value: parsed.data, rest: source.slice(whole.length), length: whole.length };
  const problems = parsed.error.issues.map(({ message, path }) => {
    const node = document.getIn(path, true);
    const name = path.length === 0 ? '' : `${path.join('.')}: `;
    return { ...at(isNode(node) ? (node.range?.[0] ?? 0) : 0), message: `${name}${message}` };
  });
  return { ok: false, problems };
}

/** The position of the first alias; expanding aliases could take forever. */
function findAlias(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Alias(_key, node) {
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}
