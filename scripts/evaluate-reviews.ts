/**
 * `npm run evaluate:reviews -- FOLDER`: runs the checks over cases with known findings (`case.json`: repository, base, head, golden
 * comments with file and line) and prints precision, recall and F1 by location.
 * `npm run evaluate:reviews -- --history REPOSITORY [--count 100] [--skip 0] [--path GLOB…]`: runs them over merged changes of a bare
 * clone (only those that touch a path, if any is given, and with `--moves` only those that rename a file) and prints each finding, to be
 * judged by reading. Without `--check NAME`, those that are off by default don't run.
 * `npm run evaluate:reviews -- --seed-breaks CLONE [CLONE…] [--count 60] [--each 10] [--commits 400] [--skip 0]`: puts a use back into real
 * commits that removed something with its uses, and prints which of these `removed_but_used` finds (see `seed-breaks.ts`). With
 * `--kind members`, `parameters` or `keywords`, the same for members of types, parameters of methods, and names of parameters (see `seed-members.ts`). With
 * `fields`, `options`, `settings`, `route-names` or `migrations`, the same for parts of contracts (see `seed-contract-breaks.ts`).
 * With `--moves`, puts a file back that followed a moved one, for `moved_file_imported` (see `seed-moves.ts`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { GitFailure, runGit } from '../src/engines/git/index.ts';
import type { ReviewResult } from '../src/engines/review/contract/code-review.ts';
import { CHECKS, openGitReviewCode, runReview } from '../src/engines/review/index.ts';
import { borrow, type FindBreak, type SeededBreak, seedBreaks } from './seed-breaks.ts';
import { CONTRACT_KINDS, seedContractBreaks } from './seed-contract-breaks.ts';
import { findKeywordBreak, findMemberBreak, findParameterBreak } from './seed-members.ts';
import { listMoves, seedMoves } from './seed-moves.ts';

/** A finding this close to a golden comment is about the same lines. */
const NEAR_LINES = 1;

/** How breaks of a kind are made, and the checks that should find them. */
const KINDS: Record<string, { checks: string[]; find?: FindBreak }> = {
  definitions: { checks: ['removed_but_used'] },
  members: { checks: ['removed_but_used', 'removed_method_used'], find: findMemberBreak },
  parameters: { checks: ['changed_signature', 'changed_method'], find: findParameterBreak },
  keywords: { checks: ['renamed_parameter'], find: findKeywordBreak },
};

interface Case {
  /** The path of a clone, relative to the case. */
  repository: string;
  base: string;
  head: string;
  golden: { file: string; line: number }[];
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    history: { type: 'string' },
    count: { type: 'string', default: '100' },
    skip: { type: 'string', default: '0' },
    check: { type: 'string', multiple: true },
    path: { type: 'string', multiple: true, default: [] },
    'seed-breaks': { type: 'boolean', default: false },
    moves: { type: 'boolean', default: false },
    each: { type: 'string', default: '10' },
    commits: { type: 'string', default: '400' },
    kind: { type: 'string', default: 'definitions' },
  },
});
const checks = CHECKS.filter(({ isOffByDefault, name }) =>
  values.check ? values.check.includes(name) : !isOffByDefault,
);
if (values['seed-breaks'] && values.moves) await findSeededMoves(positionals);
else if (values['seed-breaks'] && CONTRACT_KINDS.includes(values.kind))
  await findSeededContractBreaks(positionals, values.kind);
else if (values['seed-breaks']) await findSeededBreaks(positionals);
else if (values.history) await replayHistory(values.history, Number(values.count), Number(values.skip));
else if (positionals[0]) await runCases(positionals[0]);
else throw new Error('Usage: npm run evaluate:reviews -- FOLDER | --history REPOSITORY [--count 100]');

async function review(gitDir: string, base: string, head: string, wanted = checks): Promise<ReviewResult> {
  const code = openGitReviewCode({ gitDir, base, head, signal: AbortSignal.timeout(120_000) });
  try {
    return await runReview(code, {
      checks: wanted,
      isExcluded: () => false,
      maxFindings: Number.POSITIVE_INFINITY,
    });
  } finally {
    code.close();
  }
}

async function replayHistory(gitDir: string, count: number, skip: number): Promise<void> {
  const args = [
    'rev-list',
    '--first-parent',
    `--max-count=${count}`,
    `--skip=${skip}`,
    '--min-parents=1',
    'HEAD',
    '--',
    ...values.path,
  ];
  const heads = values.moves
    ? await listMoves(gitDir, { commits: count, skip })
    : (await runGit(args, { gitDir })).stdout.toString('latin1').trim().split('\n');
  const total = { changes: 0, added: 0, findings: 0, refused: 0, failures: 0, ms: 0 };
  for (const head of heads) {
    const base = (await runGit(['rev-parse', `${head}^1`], { gitDir })).stdout.toString('latin1').trim();
    const start = performance.now();
    const result = await review(gitDir, base, head).catch((error: unknown) => {
      // A clone can lack objects; the change is then not counted.
      if (!(error instanceof GitFailure)) throw error;
      print(`${head.slice(0, 10)} was not read: ${error.message}`);
    });
    if (!result) continue;
    total.ms += performance.now() - start;
    total.changes += 1;
    total.added += result.change.addedLines;
    for (const each of result.checks.filter(({ failure }) => failure !== null)) {
      total.failures += 1;
      print(`${head.slice(0, 10)} ${each.name} failed: ${each.failure}`);
    }
    for (const each of result.candidates) {
      if (each.fate.kind === 'refused') {
        total.refused += 1;
        print(`${head.slice(0, 10)} refused ${each.check} ${each.file}:${each.line}: ${each.fate.reason}`);
      }
      if (each.fate.kind !== 'finding') continue;
      total.findings += 1;
      print(
        `${head.slice(0, 10)} ${each.check} ${each.file}:${each.line} | ${each.title} | ${each.quote.trim().slice(0, 100)}`,
      );
      for (const place of each.evidence.slice(0, 3))
        print(`    ${place.side} ${place.path}:${place.line} ${place.quote.slice(0, 100)}`);
    }
  }
  const rate = total.added === 0 ? 0 : (total.findings * 1000) / total.added;
  print(
    `${total.changes} changes, ${total.added} added lines, ${total.findings} findings (${rate.toFixed(3)} per 1,000 added lines), ${total.refused} refused, ${total.failures} failures, ${(total.ms / total.changes).toFixed(0)} ms a change`,
  );
}

async function findSeededBreaks(clones: string[]): Promise<void> {
  const kind = KINDS[values.kind];
  if (!kind) throw new Error(`--kind is one of ${[...Object.keys(KINDS), ...CONTRACT_KINDS].join(', ')}.`);
  const wanted = CHECKS.filter(({ name }) => kind.checks.includes(name));
  const findings = async (gitDir: string, base: string, head: string) =>
    (await review(gitDir, base, head, wanted)).candidates.filter(({ fate }) => fate.kind === 'finding');
  const total = { breaks: 0, found: 0, before: 0, others: 0 };
  for (const clone of clones) {
    const borrowed = await borrow(clone);
    let inClone = 0;
    try {
      const range = { commits: Number(values.commits), skip: Number(values.skip) };
      for await (const { base, definedIn, head, name, path, seeded } of seedBreaks(
        clone,
        borrowed,
        range,
        kind.find,
      )) {
        total.breaks += 1;
        inClone += 1;
        const before = await findings(borrowed.gitDir, base, head);
        const after = await findings(borrowed.gitDir, base, seeded);
        const isOf = (subject: string) => subject === name || subject.endsWith(`.${name}`);
        const isFound = after.some(({ subject }) => isOf(subject));
        total.found += isFound ? 1 : 0;
        total.before += before.length;
        // The file that was put back may use other names that are gone; findings about those are as true.
        const others = after.filter(
          ({ evidence, subject }) => !isOf(subject) && evidence.some((place) => place.path !== path),
        );
        total.others += others.length;
        print(
          `${isFound ? 'found ' : 'MISSED'} ${clone.split('/').at(-2)} ${head.slice(0, 10)} ${name} of ${definedIn}, used in ${path}`,
        );
        for (const { evidence, subject } of others)
          print(
            `    also: ${subject} at ${evidence.map((place) => `${place.path}:${place.line}`).join(', ')}`,
          );
        if (inClone >= Number(values.each) || total.breaks >= Number(values.count)) break;
      }
    } finally {
      await borrowed.close();
    }
    if (total.breaks >= Number(values.count)) break;
  }
  print(
    `${total.found} of ${total.breaks} found; ${total.before} findings before a use was put back, ${total.others} about other files afterwards`,
  );
}

async function findSeededContractBreaks(clones: string[], kind: string): Promise<void> {
  const total = { breaks: 0, found: 0, before: 0, others: 0 };
  const isAbout = (subject: string, { definedIn, name, path }: SeededBreak) => {
    const plain = (text: string) => text.replaceAll(/[_-]/g, '').toLowerCase();
    if (kind === 'migrations') return [path, definedIn].some((each) => subject.startsWith(each));
    return plain(subject).endsWith(plain(name));
  };
  for (const clone of clones) {
    const borrowed = await borrow(clone);
    let inClone = 0;
    try {
      const range = { commits: Number(values.commits), skip: Number(values.skip), kind };
      for await (const seeded of seedContractBreaks(clone, borrowed, range)) {
        const { base, definedIn, head, name, path } = seeded;
        const wanted = CHECKS.filter((check) => seeded.checks.includes(check.name));
        const findings = async (commit: string) =>
          (await review(borrowed.gitDir, base, commit, wanted)).candidates.filter(
            ({ fate }) => fate.kind === 'finding',
          );
        const [before, after] = [await findings(head), await findings(seeded.seeded)];
        const isFound = after.some(({ subject }) => isAbout(subject, seeded));
        total.breaks += 1;
        inClone += 1;
        total.found += isFound ? 1 : 0;
        total.before += before.length;
        const others = after.filter(({ subject }) => !isAbout(subject, seeded));
        total.others += others.length;
        print(
          `${isFound ? 'found ' : 'MISSED'} ${clone.split('/').at(-2)} ${head.slice(0, 10)} ${name} of ${definedIn}, used in ${path}`,
        );
        for (const { evidence, file, line, subject } of [...before, ...others])
          print(
            `    also: ${subject} of ${file}:${line} at ${evidence.map((place) => `${place.path}:${place.line}`).join(', ')}`,
          );
        if (inClone >= Number(values.each) || total.breaks >= Number(values.count)) break;
      }
    } finally {
      await borrowed.close();
    }
    if (total.breaks >= Number(values.count)) break;
  }
  print(
    `${total.found} of ${total.breaks} found; ${total.before} findings before, ${total.others} others afterwards`,
  );
}

async function findSeededMoves(clones: string[]): Promise<void> {
  const wanted = CHECKS.filter(({ name }) => name === 'moved_file_imported');
  const findings = async (gitDir: string, base: string, head: string) =>
    (await review(gitDir, base, head, wanted)).candidates.filter(({ fate }) => fate.kind === 'finding');
  const total = { breaks: 0, found: 0, before: 0, others: 0 };
  for (const clone of clones) {
    const borrowed = await borrow(clone);
    let inClone = 0;
    try {
      const range = { commits: Number(values.commits), skip: Number(values.skip) };
      for await (const { base, from, head, line, path, seeded, to } of seedMoves(clone, borrowed, range)) {
        const places = (found: Awaited<ReturnType<typeof findings>>) =>
          found.flatMap(({ evidence }) => evidence.map((place) => `${place.path}:${place.line}`));
        const before = places(await findings(borrowed.gitDir, base, head));
        const after = places(await findings(borrowed.gitDir, base, seeded));
        const isFound = after.some((place) => place.startsWith(`${path}:`));
        const others = after.filter((place) => !place.startsWith(`${path}:`) && !before.includes(place));
        total.breaks += 1;
        inClone += 1;
        total.found += isFound ? 1 : 0;
        total.before += before.length;
        total.others += others.length;
        print(
          `${isFound ? 'found ' : 'MISSED'} ${clone.split('/').at(-2)} ${head.slice(0, 10)} ${seeded.slice(0, 10)} ${from} => ${to}, in ${path}: ${line}`,
        );
        if (before.length > 0) print(`    before: ${before.join(', ')}`);
        if (others.length > 0) print(`    also: ${others.join(', ')}`);
        if (inClone >= Number(values.each) || total.breaks >= Number(values.count)) break;
      }
    } finally {
      await borrowed.close();
    }
    if (total.breaks >= Number(values.count)) break;
  }
  print(
    `${total.found} of ${total.breaks} found; ${total.before} places before a file was put back, ${total.others} in other files afterwards`,
  );
}

async function runCases(folder: string): Promise<void> {
  const score = { found: 0, golden: 0, hit: 0, right: 0, added: 0 };
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const given = JSON.parse(readFileSync(join(path, 'case.json'), 'utf8')) as Case;
    const result = await review(join(path, given.repository), given.base, given.head);
    const findings = result.candidates.filter(({ fate }) => fate.kind === 'finding');
    const isAt = (finding: { file: string; line: number }, golden: { file: string; line: number }) =>
      finding.file === golden.file && Math.abs(finding.line - golden.line) <= NEAR_LINES;
    const right = findings.filter((finding) => given.golden.some((golden) => isAt(finding, golden))).length;
    const hit = given.golden.filter((golden) => findings.some((finding) => isAt(finding, golden))).length;
    print(
      `${name}: ${findings.length} findings, ${right} right; ${hit} of ${given.golden.length} golden comments found`,
    );
    score.found += findings.length;
    score.golden += given.golden.length;
    score.hit += hit;
    score.right += right;
    score.added += result.change.addedLines;
  }
  const precision = score.found === 0 ? 1 : score.right / score.found;
  const recall = score.golden === 0 ? 1 : score.hit / score.golden;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const rate = score.added === 0 ? 0 : (score.found * 1000) / score.added;
  print(
    `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, F1 ${f1.toFixed(2)}, ${rate.toFixed(3)} findings per 1,000 added lines`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
