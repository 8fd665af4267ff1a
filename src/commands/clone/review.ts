/** `countersign review`: reviews the working tree of a clone on this machine, without a server or a database. */

import type { JudgedCandidate, ReviewResult } from '../../engines/review/contract/code-review.ts';
import { FINDING_LIMITS } from '../../engines/review/contract/finding-limits.ts';
import {
  CHECKS,
  type GitReviewCode,
  makeRuleChecks,
  openGitReviewCode,
  runReview,
  toSarif,
} from '../../engines/review/index.ts';
import { parseRepositoryFiles, REVIEWER_FOLDER } from '../../features/reviewers/index.ts';
import { covers, DECISION_FOLDER, type Decision, parseDecisionFiles } from '../../features/reviews/index.ts';
import { EXIT_CODES, StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { KEY_NOTE, URL_OPTION } from './call-service.ts';
import { folderOfClone, openTree } from './open-tree.ts';
import { describeFinding, describePlace } from './print-finding.ts';
import { reviewWithService, sendSarif } from './review-remote.ts';

const BASE_OPTION = {
  name: 'base',
  value: 'ref',
  meaning: 'The branch, tag or commit to compare with (default: the default branch).',
};
const FOLDER_OPTION = {
  name: 'folder',
  value: 'path',
  meaning: 'A folder of the clone (default: the current folder).',
};
const REPOSITORY_OPTION = {
  name: 'repository',
  value: 'name',
  meaning: "With a service: the repository (default: the name of this clone's origin, else of its folder).",
};

export const review: Command = {
  name: 'review',
  summary: 'Review the changes in a working tree',
  detail:
    'Compares the working tree, with uncommitted and new files, with the default branch, and prints what is\nprovably wrong. Needs no server. With --url, a service reviews it, which knows the organization’s settings and other\nrepositories. With a SARIF file, the results of another tool on added lines become findings of a pull request.\nExits with 4 if there are findings.',
  options: [
    BASE_OPTION,
    FOLDER_OPTION,
    {
      name: 'check',
      value: 'name',
      meaning: 'Without a service: also run a check that is off by default (several: a,b).',
    },
    { name: 'all', meaning: `Print all findings, not only the first ${FINDING_LIMITS.perRun}.` },
    JSON_OPTION,
    {
      name: 'sarif',
      meaning: 'Without a service: print SARIF 2.1.0. Before a file: send its results to the service.',
    },
    { name: 'file', value: 'path', meaning: 'The SARIF file to send, after --sarif.' },
    {
      ...URL_OPTION,
      meaning: 'Have this service review it. Without this and a SARIF file, nothing leaves this machine.',
    },
    REPOSITORY_OPTION,
    { name: 'pr', value: 'number', meaning: 'With a SARIF file: the pull request.' },
    { name: 'branch', value: 'name', meaning: 'With a SARIF file: the branch (default: the current one).' },
    { name: 'commit', value: 'id', meaning: 'With a SARIF file: the pushed commit that was analyzed.' },
  ],
  positional: 'file',
  example: 'countersign review --base main',
  quiet: true,
  async run(call) {
    if (call.options.check !== undefined && (call.options.url ?? call.options.file) !== undefined)
      throw new StartFailure(
        'usage',
        '--check is for reviews on this machine: a service runs the checks that its organization switched on',
      );
    if (call.options.file !== undefined) {
      if (!call.options.sarif)
        throw new StartFailure('usage', 'to send the results in a file, write: --sarif FILE');
      return sendSarif(call);
    }
    if (call.options.url !== undefined) {
      if (call.options.sarif)
        throw new StartFailure(
          'usage',
          '--sarif prints reviews on this machine; to send the results in a file to a service, write: --sarif FILE',
        );
      return reviewWithService(call);
    }
    if (call.options.sarif && call.options.json)
      throw new StartFailure('usage', '--json and --sarif are two formats: name one of them');
    const result = await reviewFolder(call);
    const findings = result.candidates.filter(({ fate }) => fate.kind === 'finding');
    if (call.options.sarif) print(printableJson(toSarif(result)));
    else if (call.options.json) print(printableJson(result));
    else printFindings(result, findings);
    if (findings.length > 0) call.setExitCode(EXIT_CODES.findings.code);
  },
};

/** The same as `review --url`, for a service that the environment or `init` names. */
export const reviewDiff: Command = {
  name: 'review diff',
  summary: 'Have the service review the changes before a push',
  detail: `Sends the difference between the working tree and the default branch to the service, which knows the organization’s\nsettings and other repositories. Exits with 4 if there are findings.\n${KEY_NOTE}`,
  options: [BASE_OPTION, FOLDER_OPTION, JSON_OPTION, URL_OPTION, REPOSITORY_OPTION],
  example: 'countersign review diff --base main',
  quiet: true,
  run: reviewWithService,
};

async function reviewFolder(call: Call): Promise<ReviewResult> {
  const builtIn = chooseChecks(call);
  const tree = await openTree(call, await folderOfClone(call));
  const code = openGitReviewCode({ ...tree, signal: call.stopped });
  const { problems, reviewers } = await readReviewers(code);
  const rules = makeRuleChecks(reviewers, { signal: call.stopped });
  try {
    const maxFindings = call.options.all ? Number.POSITIVE_INFINITY : FINDING_LIMITS.perRun;
    const checks = [...builtIn, ...rules.checks];
    const result = await runReview(code, { checks, isExcluded: () => false, maxFindings });
    const decided = await readDecisions(code);
    return {
      ...result,
      notReviewed: [
        ...result.notReviewed,
        ...tree.unreadable.map((path) => ({ path, reason: 'git cannot read it' })),
      ],
      candidates: result.candidates.map((each) => withDecision(each, decided.decisions)),
      checks: [...result.checks, ...problems, ...decided.problems],
    };
  } finally {
    await rules.close();
    code.close();
    await tree.close();
  }
}

/** Checks that are on by default, and the optional ones that were named. */
function chooseChecks(call: Call): typeof CHECKS {
  const optional = CHECKS.flatMap(({ isOffByDefault, name }) => (isOffByDefault ? [name] : []));
  const named = textOption(call, 'check')
    .split(',')
    .map((name) => name.trim());
  const wanted = call.options.check === undefined ? [] : named;
  const unknown = wanted.find((name) => !optional.includes(name));
  if (unknown !== undefined)
    throw new StartFailure('usage', `--check must be one of ${optional.join(', ')}; other checks always run`);
  return CHECKS.filter(({ isOffByDefault, name }) => !isOffByDefault || wanted.includes(name));
}

/** The reviewers with rules in files of the base. */
async function readReviewers(code: GitReviewCode) {
  const paths = (await code.listFiles('base')).filter(
    (path) => path.startsWith(REVIEWER_FOLDER) && path.endsWith('.md'),
  );
  const files = await Promise.all(
    paths.map(async (path) => ({ path, text: (await code.read('base', path)) ?? '' })),
  );
  const { problems, reviewers } = parseRepositoryFiles(files, undefined);
  return {
    problems,
    reviewers: reviewers.flatMap(({ body, key, kind, paths: globs, title }) =>
      kind === 'rules' ? [{ key, title, rules: body, paths: globs }] : [],
    ),
  };
}

/** Dismissals from files at the base. */
async function readDecisions(code: GitReviewCode) {
  const paths = (await code.listFiles('base')).filter(
    (path) => path.startsWith(DECISION_FOLDER) && path.endsWith('.md'),
  );
  const texts = await Promise.all(paths.map((path) => code.read('base', path)));
  return parseDecisionFiles(paths.map((path, index) => ({ path, text: texts[index] ?? '' })));
}

function withDecision(candidate: JudgedCandidate, decisions: readonly Decision[]): JudgedCandidate {
  const decision = candidate.fate.kind === 'finding' && decisions.find((each) => covers(each, candidate));
  return decision ? { ...candidate, fate: { kind: 'known', reason: decision.said } } : candidate;
}

function printFindings(result: ReviewResult, findings: JudgedCandidate[]): void {
  for (const finding of findings) {
    const index = result.candidates.indexOf(finding);
    const others = result.candidates.filter(({ fate }) => fate.kind === 'grouped' && fate.with === index);
    const evidence = [
      ...finding.evidence.map(({ line, path, quote }) => `${path}:${line}: ${quote.trim()}`),
      ...others.map((other) => `also at ${describePlace(other)}`),
    ];
    print(describeFinding({ ...finding, evidence }));
  }
  const { addedLines, files, moreFiles } = result.change;
  const held = result.candidates.filter(({ fate }) => fate.kind === 'held_back').length;
  const count =
    findings.length === 0 ? 'No findings' : `${findings.length} ${plural(findings.length, 'finding')}`;
  print(
    `${count} in ${files} ${plural(files, 'file')} with ${addedLines} added ${plural(addedLines, 'line')}.`,
  );
  if (held > 0) print(`${held} more; print them with --all.`);
  for (const { path, reason } of result.notReviewed.slice(0, 10))
    print(`Not reviewed: ${printable(path)} (${reason}).`);
  const more = Math.max(0, result.notReviewed.length - 10) + moreFiles;
  if (more > 0) print(`Not reviewed: ${more} more ${plural(more, 'file')}.`);
  for (const { note } of result.checks) if (note) print(printable(note));
  for (const { failure, name } of result.checks)
    if (failure) print(`${name} could not run: ${printable(failure)}`);
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
