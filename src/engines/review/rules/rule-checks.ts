/**
 * The structural rules of custom reviewers as checks, one for each rule. The changed files are written to a temporary folder once, and
 * ast-grep scans it once for each reviewer. A match counts if it begins on an added line.
 */

import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { makeTemporaryFolder } from '../../git/index.ts';
import type { Check, Found } from '../check.ts';
import { matchPaths } from '../code/match-paths.ts';
import { addedLines, type Change } from '../code/read-change.ts';
import type { ReviewCode } from '../code/review-code.ts';
import type { RuleReviewer } from '../contract/code-review.ts';
import { FINDING_LIMITS } from '../contract/finding-limits.ts';
import { findAstGrep, MAX_RULE_SECONDS, type RuleMatch, runAstGrep } from './run-ast-grep.ts';

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_ALL_BYTES = 64 * 1024 * 1024;
const MAX_RULES = 1000;
const MAX_PATH_BYTES = 1024;
const MAX_NAME_BYTES = 255;
/** A quote is a line; of a longer one its beginning says enough. */

export interface RuleChecks {
  checks: Check[];
  /** Removes the temporary folder. */
  close(): Promise<void>;
}

export function makeRuleChecks(
  reviewers: readonly RuleReviewer[],
  {
    maxSeconds = MAX_RULE_SECONDS,
    program = findAstGrep(),
    signal,
  }: { program?: string | undefined; signal: AbortSignal; maxSeconds?: number | undefined },
): RuleChecks {
  let folder: Promise<string> | undefined;
  let count = 0;
  /** For all reviewers together; a slow one leaves the others half of what is left. */
  let secondsLeft = maxSeconds;
  let notScanned = reviewers.length;
  const withinLimit = async (work: (granted: number) => Promise<RuleMatch[]>) => {
    notScanned -= 1;
    const granted = notScanned === 0 ? secondsLeft : secondsLeft / 2;
    const start = performance.now();
    try {
      return await work(granted);
    } finally {
      secondsLeft -= Math.min(granted, (performance.now() - start) / 1000);
    }
  };
  const scanOf = (reviewer: RuleReviewer, index: number) => {
    let matches: Promise<RuleMatch[]> | undefined;
    return (change: Change, code: ReviewCode) => {
      if (!program) throw new Error('ast-grep is not installed here.');
      folder ??= exportFiles(change, code);
      matches ??= folder.then((root) =>
        withinLimit((granted) => scan({ program, root, index, signal, maxSeconds: granted }, reviewer)),
      );
      return matches;
    };
  };
  const checks = reviewers.flatMap((reviewer, index) => {
    const matches = scanOf(reviewer, index);
    const isInScope = matchPaths(reviewer.paths);
    return ruleIdsOf(reviewer.rules).map((id): Check => {
      count += 1;
      const isTooMany = count > MAX_RULES;
      return {
        name: id,
        reviewer: reviewer.key,
        looksFor: `matches of rule \`${id.replaceAll('`', "'")}\` (${reviewer.title})`,
        async run(change, code) {
          if (isTooMany) throw new Error(`A review runs at most ${MAX_RULES} rules.`);
          const files = change.files.filter(({ path }) => reviewer.paths.length === 0 || isInScope(path));
          if (files.length === 0) return [];
          const added = new Map(files.map((file) => [file.path, new Map(linesOf(file))] as const));
          return (await matches(change, code)).flatMap((match) => {
            const text = match.ruleId === id ? added.get(match.path)?.get(match.line) : undefined;
            return text === undefined ? [] : [foundOf(match, text, reviewer)];
          });
        },
      };
    });
  });
  return {
    checks,
    async close() {
      const root = await folder?.catch(() => undefined);
      if (root !== undefined) await rm(root, { recursive: true, force: true });
    },
  };
}

function linesOf(file: Change['files'][number]): [number, string][] {
  return addedLines(file).map(({ number, text }) => [number, text]);
}

function foundOf(match: RuleMatch, text: string, reviewer: RuleReviewer): Found {
  const { line, message, note, path, ruleId } = match;
  const fix = fixedLine(match, text);
  const what = `This code matches rule \`${ruleId.replaceAll('`', "'")}\` (${reviewer.title}).`;
  return {
    claim: 'rule',
    // Rules of two reviewers can have the same id.
    subject: reviewer.key,
    title: message.trim() || ruleId,
    scenario: [what, note.trim()].filter((part) => part !== '').join(' '),
    file: path,
    side: 'head',
    line,
    quote: text.trim().slice(0, FINDING_LIMITS.quoteCharacters),
    evidence: [],
    ...(fix !== undefined && { fix }),
  };
}

/** The line as the rule's `fix` would write it. */
function fixedLine({ fix }: RuleMatch, text: string): string | undefined {
  if (!fix || text.length > FINDING_LIMITS.quoteCharacters) return undefined;
  const { column, matched, replacement } = fix;
  // Columns may count characters differently than we do.
  if (!text.startsWith(matched, column)) return undefined;
  return `${text.slice(0, column)}${replacement}${text.slice(column + matched.length)}`;
}

/** The ids of rules; they were checked when they were saved. */
function ruleIdsOf(source: string): string[] {
  const documents = parseAllDocuments(source, { uniqueKeys: false });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const id = document.get('id');
    return typeof id === 'string' ? [id] : [];
  });
}

async function scan(
  place: { program: string; root: string; index: number; signal: AbortSignal; maxSeconds: number },
  { rules }: RuleReviewer,
): Promise<RuleMatch[]> {
  const { index, root } = place;
  const name = `rules-${index}`;
  await mkdir(join(root, name));
  await writeFile(join(root, name, 'rules.yml'), rules);
  const folder = join(root, 'files');
  // In the folder of the code, because the globs of rules are relative to it, under a name that no repository has.
  const config = `${randomUUID()}.yml`;
  await writeFile(join(folder, config), `ruleDirs: [../${name}]\n`);
  return runAstGrep({ ...place, folder, config });
}

/** Files that are not scanned are named in the coverage. */
async function exportFiles(change: Change, code: ReviewCode): Promise<string> {
  const root = await makeTemporaryFolder('rules');
  await mkdir(join(root, 'files'));
  let allBytes = 0;
  for (const { change: kind, path } of change.files) {
    if (kind === 'deleted') continue;
    const text = await code.read('head', path);
    if (text === null) continue;
    const bytes = Buffer.byteLength(text);
    const isTooLarge = bytes > MAX_FILE_BYTES || allBytes + bytes > MAX_ALL_BYTES;
    if (isTooLarge || !isSafe(path)) {
      const reason = isTooLarge
        ? 'too large for structural rules'
        : 'structural rules can’t be run on this path';
      change.notReviewed.push({ path, reason });
      continue;
    }
    allBytes += bytes;
    const file = join(root, 'files', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return root;
}

/** Whether a path stays inside of the folder that it is written to. */
export function isSafe(path: string): boolean {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return false;
  return path
    .split('/')
    .every(
      (name) =>
        !['', '.', '..'].includes(name) && !/[\0\\:]/.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES,
    );
}
