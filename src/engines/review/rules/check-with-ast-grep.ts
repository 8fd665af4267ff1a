/** Asks ast-grep itself whether it accepts rules, one after the other, so that a mistake is reported where it is. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';
import { makeTemporaryFolder } from '../../git/index.ts';
import { AstGrepFailure, findAstGrep, runAstGrep } from './run-ast-grep.ts';

export interface RuleMistake {
  /** Both count from 1. */
  line: number;
  column: number;
  message: string;
}

/** Nothing when ast-grep is not installed. Call it with rules whose shape was checked. */
export async function checkWithAstGrep(source: string, signal: AbortSignal): Promise<RuleMistake[]> {
  const program = findAstGrep();
  if (program === undefined) return [];
  const root = await makeTemporaryFolder('rules');
  const mistakeOf = async (rules: string) => {
    await writeFile(join(root, 'rules', 'rules.yml'), rules);
    try {
      await runAstGrep({ program, folder: join(root, 'files'), config: 'sgconfig.yml', signal });
      return undefined;
    } catch (error) {
      if (error instanceof AstGrepFailure && error.mistake !== undefined) return error.mistake;
      throw error;
    }
  };
  try {
    await mkdir(join(root, 'rules'));
    await mkdir(join(root, 'files'));
    await writeFile(join(root, 'files', 'sgconfig.yml'), 'ruleDirs: [../rules]\n');
    if ((await mistakeOf(source)) === undefined) return [];
    const counter = new LineCounter();
    const documents = parseAllDocuments(source, { lineCounter: counter, uniqueKeys: false });
    const mistakes: RuleMistake[] = [];
    for (const document of Array.isArray(documents) ? documents : []) {
      const [start, end] = document.contents?.range ?? [0, 0];
      const mistake = await mistakeOf(source.slice(start, end));
      if (mistake === undefined) continue;
      const { col, line } = counter.linePos(placeOf(document, mistake));
      // As the messages of fields are, without the full stop that their readers add.
      mistakes.push({ line, column: col, message: `ast-grep: ${mistake.replace(/\.$/, '')}` });
    }
    return mistakes;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Where the value that ast-grep names is; otherwise where the rule begins. */
function placeOf(document: Document.Parsed, mistake: string): number {
  const named = /`([^`]+)`/.exec(mistake)?.[1];
  let found: number | undefined;
  visit(document, {
    Scalar(_key, node) {
      if (named === undefined || String(node.value) !== named) return undefined;
      found = node.range?.[0];
      return visit.BREAK;
    },
  });
  if (found !== undefined) return found;
  const contents = document.contents;
  const rule = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === 'rule')
    : undefined;
  return (isScalar(rule?.key) ? rule.key.range?.[0] : undefined) ?? contents?.range[0] ?? 0;
}
