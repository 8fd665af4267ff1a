/** Schemas that an OpenAPI document still refers to but no longer has. */
import { isAlias, isMap, LineCounter, parseDocument, visit } from 'yaml';
import type { Found } from '../../check.ts';
import { type Change, EVERYTHING, type ReviewedFile } from '../../code/read-change.ts';
import type { ReviewCode } from '../../code/review-code.ts';
import { shellWord } from '../../code/shell-word.ts';

const MAX_CHARACTERS = 1024 * 1024;
const OPENAPI = /(^|[{,])\s*["']?(openapi|swagger)["']?\s*:\s*["']?[23]\./m;

export async function danglingReferences(change: Change, code: ReviewCode): Promise<Found[]> {
  const found: Found[] = [];
  const { concerns = EVERYTHING } = change;
  for (const file of change.files) {
    if (!mayBeOpenApi(file) || !(await concerns.file(file))) continue;
    const [before, after] = await Promise.all([
      code.read('base', file.oldPath ?? file.path),
      code.read('head', file.path),
    ]);
    if (before === null || after === null || !OPENAPI.test(after.slice(0, 4000))) continue;
    if (after.length > MAX_CHARACTERS || before.length > MAX_CHARACTERS) continue;
    const [was, now] = [readReferences(before), readReferences(after)];
    if (!was || !now) continue;
    const missing = [...now.references].filter(([name]) => !now.has(name) && was.has(name));
    for (const [name, line] of missing)
      found.push(
        ...describe(change, file, { name, line, text: after.split('\n')[line - 1]! }, was.lineOf(name)),
      );
  }
  return found;
}

/** Whether it may be an edited OpenAPI document, by its path. */
export function mayBeOpenApi({ change, fileClass, path }: ReviewedFile): boolean {
  const isEdited = change === 'modified' || change === 'renamed';
  return isEdited && /\.(ya?ml|json)$/.test(path) && fileClass !== 'test' && fileClass !== 'vendored';
}

interface References {
  /** By name, such as `schemas/User`, with the first line. */
  references: Map<string, number>;
  has(name: string): boolean;
  lineOf(name: string): { line: number; text: string } | undefined;
}

function readReferences(text: string): References | undefined {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, logLevel: 'silent', uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const references = new Map<string, number>();
  visit(document, {
    Pair(_, { key, value }) {
      const written = key && String(key) === '$ref' && value && !isAlias(value) ? String(value) : '';
      const name = /^#\/(?:components\/)?([\w.-]+\/[\w.-]+)$/.exec(written)?.[1];
      const at = (value as { range?: [number] | null } | null)?.range?.[0];
      if (name && at !== undefined && !references.has(name))
        references.set(name, lineCounter.linePos(at).line);
    },
  });
  const paths = (name: string) => [name.split('/'), ['components', ...name.split('/')]];
  const lines = text.split('\n');
  return {
    references,
    has: (name) => paths(name).some((path) => document.hasIn(path)),
    lineOf(name) {
      const word = name.split('/')[1]!.replaceAll(/[.-]/g, '\\$&');
      const index = lines.findIndex((line) => new RegExp(`^\\s*["']?${word}["']?\\s*:`).test(line));
      return index === -1 ? undefined : { line: index + 1, text: lines[index]! };
    },
  };
}

function describe(
  change: Change,
  file: ReviewedFile,
  use: { name: string; line: number; text: string },
  was: { line: number; text: string } | undefined,
): Found[] {
  if (!was) return [];
  const path = file.oldPath ?? file.path;
  return [
    {
      claim: 'contract',
      subject: use.name,
      title: `${use.name} was removed but is still referenced`,
      scenario: `${file.path}:${use.line} refers to ${use.name}, which the document no longer has: generators and validators refuse it.`,
      file: path,
      side: 'base',
      line: was.line,
      quote: was.text,
      evidence: [{ side: 'head', path: file.path, line: use.line, quote: use.text.trim() }],
      command: `git grep -nF -e ${shellWord(use.name)} ${change.head.slice(0, 12)} -- ${shellWord(file.path)}`,
    },
  ];
}
