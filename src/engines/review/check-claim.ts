/**
 * Checks what a reported finding claims, without a model. Refuted needs a line that shows it; what no check can tell is
 * unverified. Checks of built-in reviewers prove what they find themselves.
 */

import type { Check, Found } from './check.ts';
import { dependencySources, lockFiles, similarNames } from './checks/dependencies/dependencies.ts';
import { changedMethods, removedMethods } from './checks/members/member-checks.ts';
import { protobufFields } from './checks/protobuf-fields.ts';
import { changedSignatures } from './checks/removed/changed-signatures.ts';
import { removedButUsed } from './checks/removed/removed-but-used.ts';
import { renamedParameters } from './checks/removed/renamed-parameters.ts';
import { secrets } from './checks/secrets.ts';
import type { Change } from './code/read-change.ts';
import { folderOf, resolveScript } from './code/resolve-module.ts';
import type { FoundLine, ReviewCode } from './code/review-code.ts';
import { shellWord } from './code/shell-word.ts';
import type { Candidate, Claim } from './contract/code-review.ts';
import { quoteTokens } from './finding-key.ts';

export type ClaimResult =
  | { kind: 'proven'; by?: Found & { check: string } }
  | { kind: 'refuted'; reason: string }
  | { kind: 'unverified'; reason: string };

const IDENTIFIER = /^[\p{L}\p{N}_$]{2,200}$/u;
/** Files read to see what the lines with a name are. */
const MAX_FILES_READ = 100;
/** Fewer tokens are the same by chance. */
const MIN_SAME_TOKENS = 8;

type ClaimCheck = (change: Change, code: ReviewCode, candidate: Candidate) => Promise<ClaimResult>;

interface Proof {
  /** Checks that can find the same problem without a report. */
  checks?: readonly Check[];
  /** Asked when none of them did. */
  own?: ClaimCheck;
}

/** A claim without either stays unverified. */
const PROOFS: Record<Claim, Proof> = {
  removed_but_used: { checks: [removedButUsed, removedMethods], own: checkRemovedButUsed },
  unused: { own: checkUnused },
  missing: { own: checkMissing },
  duplicate: { own: checkDuplicate },
  signature: { checks: [changedSignatures, changedMethods, renamedParameters], own: checkSignature },
  secret: { checks: [secrets] },
  dependency: { checks: [dependencySources, lockFiles, similarNames], own: checkNamedInChange },
  contract: { checks: [protobufFields], own: checkNamedInChange },
  plan: {},
  rule: {},
  other: {},
};

export async function checkClaim(
  change: Change,
  code: ReviewCode,
  candidate: Candidate,
): Promise<ClaimResult> {
  try {
    const { checks = [], own } = PROOFS[candidate.claim];
    for (const check of checks) {
      const found = (await check.run(change, code)).find((each) => isSame(each, candidate));
      if (found) return { kind: 'proven', by: { ...found, check: check.name } };
    }
    return own ? await own(change, code, candidate) : unverified('No check can tell.');
  } catch (error) {
    // A check that fails on unusual code says nothing about the claim.
    return unverified(
      `The check could not run: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300),
    );
  }
}

function isSame(found: Found, { claim, file, line, subject }: Candidate): boolean {
  if (found.claim !== claim) return false;
  return claim === 'secret'
    ? found.file === file && found.line === line
    : lastName(found.subject) === lastName(subject);
}

/** Something that was removed can only be used where its name still is. */
async function checkRemovedButUsed(
  change: Change,
  code: ReviewCode,
  { file, subject }: Candidate,
): Promise<ClaimResult> {
  const name = lastName(subject);
  if (!IDENTIFIER.test(name)) return notAName(subject);
  const changed = change.files.find((each) => each.path === file || each.oldPath === file);
  const kept = changed && changed.change !== 'deleted' ? await code.symbols('head', changed.path) : undefined;
  const defined = kept?.symbols.find((symbol) => symbol.name === name && symbol.isExported);
  if (defined) return refuted(`${changed!.path}:${defined.line} still defines ${name}.`);
  const { lines, truncated } = await code.find('head', [name], { wholeWords: true });
  if (lines.length === 0 && !truncated) return refuted(nothingNames(name, code));
  return unverified('It is not certain that the lines with this name mean what was removed.');
}

async function checkUnused(_: Change, code: ReviewCode, { subject }: Candidate): Promise<ClaimResult> {
  const name = lastName(subject);
  if (!IDENTIFIER.test(name)) return notAName(subject);
  const found = await readLines(code, name);
  const [use] = found.uses;
  if (use) return refuted(`${use.path}:${use.line} uses ${name}: ${use.text.trim().slice(0, 200)}`);
  if (found.definitions.length === 0) return unverified(`No definition of ${name} was recognized.`);
  // Texts, templates and files in unknown languages can name it too.
  return found.others.length === 0 && found.isComplete
    ? { kind: 'proven' }
    : unverified(`Other lines name ${name}, and no check can tell whether they use it.`);
}

/** Claims of absence are the ones that a search refutes. */
async function checkMissing(_: Change, code: ReviewCode, { file, subject }: Candidate): Promise<ClaimResult> {
  if (/[/\\]|\.\w+$/.test(subject) && !/\s/.test(subject)) {
    const files = await code.listFiles('head');
    const paths = [subject.replace(/^\.?\//, ''), joinPath(folderOf(file), subject)];
    const meant = new Set([...paths, ...resolveScript(file, subject)]);
    const there = files.find((path) => meant.has(path) || paths.some((each) => path.startsWith(`${each}/`)));
    if (there) return refuted(`${there} exists at head ${code.head.slice(0, 12)}.`);
    // Other paths can be made by a build.
    return /^\.\.?\//.test(subject) ? { kind: 'proven' } : unverified('A build may make it.');
  }
  const name = lastName(subject);
  if (!IDENTIFIER.test(name)) return notAName(subject);
  const [defined] = (await readLines(code, name)).definitions;
  return defined
    ? refuted(`${defined.path}:${defined.line} defines ${name}: ${defined.text.trim().slice(0, 200)}`)
    : unverified(`No definition of ${name} was found, but a dependency may have it.`);
}

async function checkDuplicate(
  _: Change,
  __: ReviewCode,
  { evidence, file, line, quote }: Candidate,
): Promise<ClaimResult> {
  const others = evidence.filter((place) => place.path !== file || place.line !== line);
  if (others.length === 0) return refuted('Name the other place as evidence.');
  const tokens = quoteTokens(quote).join(' ');
  const isSameCode = others.some((place) => quoteTokens(place.quote).join(' ') === tokens);
  return isSameCode && quoteTokens(quote).length >= MIN_SAME_TOKENS
    ? { kind: 'proven' }
    : unverified('The two places are not the same text.');
}

async function checkSignature(change: Change, code: ReviewCode, candidate: Candidate): Promise<ClaimResult> {
  const name = lastName(candidate.subject);
  if (!IDENTIFIER.test(name)) return notAName(candidate.subject);
  for (const file of change.files) {
    const before = await definitionOf(code, 'base', file.oldPath ?? file.path, name);
    const after = await definitionOf(code, 'head', file.path, name);
    if (before === undefined && after === undefined) continue;
    if (before === after) return refuted(`The definition of ${name} in ${file.path} did not change.`);
    return unverified('No check can tell whether its users still fit.');
  }
  return unverified(`No changed file defines ${name}.`);
}

/** The first line of a definition. */
async function definitionOf(code: ReviewCode, side: 'base' | 'head', path: string, name: string) {
  const facts = await code.symbols(side, path);
  const symbol = facts?.symbols.find((each) => each.name === name);
  if (!symbol) return undefined;
  return (await code.read(side, path))?.split('\n')[symbol.line - 1]?.trim();
}

async function checkNamedInChange(
  change: Change,
  _: ReviewCode,
  { claim, subject }: Candidate,
): Promise<ClaimResult> {
  const name = lastName(subject);
  const isNamed = change.files.some(
    ({ hunks, path }) =>
      path.includes(name) ||
      hunks.some(({ added, removed }) => [...added, ...removed].some((line) => line.includes(name))),
  );
  return isNamed
    ? unverified(`No check for this kind of ${claim} can tell.`)
    : refuted(`No changed line names ${name}.`);
}

interface NamedLines {
  definitions: FoundLine[];
  uses: FoundLine[];
  /** In comments, strings, and files whose language is unknown. */
  others: FoundLine[];
  isComplete: boolean;
}

async function readLines(code: ReviewCode, name: string): Promise<NamedLines> {
  const { lines, truncated } = await code.find('head', [name], { wholeWords: true });
  const found: NamedLines = { definitions: [], uses: [], others: [], isComplete: !truncated };
  const byPath = Map.groupBy(lines, ({ path }) => path);
  for (const [path, each] of [...byPath].slice(0, MAX_FILES_READ)) {
    const facts = await code.symbols('head', path);
    const defined = new Set(facts?.symbols.filter((symbol) => symbol.name === name).map(({ line }) => line));
    const used = new Set(facts?.uses.find((use) => use.name === name)?.lines);
    for (const line of each) {
      if (defined.has(line.line)) found.definitions.push(line);
      else if (used.has(line.line)) found.uses.push(line);
      else found.others.push(line);
    }
  }
  found.isComplete &&= byPath.size <= MAX_FILES_READ;
  return found;
}

/** `Cart.total` and `src/cart.ts#total` are about `total`. */
function lastName(subject: string): string {
  const words = subject
    .trim()
    .replace(/\(.*$/, '')
    .split(/[.#:\s]+/);
  return words.at(-1) || subject.trim();
}

/** Relative to a folder; `..` above the root stays out of every list of files. */
function joinPath(folder: string, path: string): string {
  const parts = folder.split('/').filter((part) => part !== '');
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

function nothingNames(name: string, { head }: ReviewCode): string {
  return `Nothing names ${name} at the head: git grep -nw -e ${shellWord(name)} ${head.slice(0, 12)}`;
}

function notAName(subject: string): ClaimResult {
  return unverified(`The subject ${subject.slice(0, 100)} is not a name that can be looked up.`);
}

function refuted(reason: string): ClaimResult {
  return { kind: 'refuted', reason };
}

function unverified(reason: string): ClaimResult {
  return { kind: 'unverified', reason };
}
