/** `countersign plan`: posts a plan from a file, shows where it stands, and waits for its review, over MCP with a key. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { cloneAt } from '../../engines/git/index.ts';
import { EXIT_CODES, StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, type Command, JSON_OPTION, textOption } from '../command.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { callTool, findService, KEY_NOTE, URL_OPTION } from './call-service.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PLAN_OPTION = {
  name: 'plan',
  value: 'id',
  meaning: 'The plan, as `plan post` printed it (default: the plan of --file on this branch).',
};
const FILE_OPTION = {
  name: 'file',
  value: 'path',
  meaning: 'The Markdown file with the plan; - for standard input.',
};
const MAX_WAIT_SECONDS = 24 * 60 * 60;
/** The longest that the service holds one call back. */
const MAX_CALL_SECONDS = 55;
/** How much later than asked for a reply may come. */
const GRACE_SECONDS = 10;

interface Posted {
  planId: string;
  url: string;
  status: string;
  version: number;
  alreadyPosted?: boolean;
}

export const planPost: Command = {
  name: 'plan post',
  summary: 'Post a plan for review, or its next version',
  detail: `The same file on the same branch is the same plan: posting it again adds a version if it changed.\n${KEY_NOTE}`,
  options: [
    { ...FILE_OPTION, required: true },
    {
      name: 'agent',
      value: 'name',
      meaning: 'The agent that wrote it (default: the one this runs in; without one, you wrote it).',
    },
    {
      name: 'repository',
      value: 'names',
      meaning: 'The repositories it concerns, separated by commas (default: that of this clone).',
    },
    {
      ...PLAN_OPTION,
      meaning: 'The plan to add a version to (default: the plan of this file on this branch).',
    },
    URL_OPTION,
    JSON_OPTION,
  ],
  positional: 'file',
  example: 'countersign plan post plan.md --repository acme/api',
  quiet: true,
  async run(call) {
    const place = await findService(call);
    const content = await readPlan(textOption(call, 'file'));
    const named = textOption(call, 'repository') || (await cloneAt(process.cwd(), call.stopped))?.name || '';
    const repoNames = named
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const posted = await callTool<Posted>(place, 'update_plan', {
      sessionId: await planOf(call),
      content,
      agentVendor: textOption(call, 'agent') || agentAround(call),
      ...(repoNames.length > 0 && { repoNames }),
    });
    if (call.options.json) print(printableJson(posted));
    else {
      const what = posted.alreadyPosted ? 'is already posted' : 'is posted';
      print(`Version ${posted.version} ${what}: ${printable(posted.url)}`);
      print(`Plan ${posted.planId}, ${posted.status}`);
    }
  },
};

interface Standing {
  planId: string;
  url: string;
  status: string;
  version: number;
  commentCount: number;
  since: number;
  /** Absent if the plan is closed, and from services that don't say it. */
  reviewState?: string;
  reviews: { reviewer: string; verdict: string; version: number; note: string; withdrawnAt?: string }[];
}

export const planStatus: Command = {
  name: 'plan status',
  summary: 'Show where a plan stands',
  detail: `Exits with 0 if a person approved its newest version, ${EXIT_CODES.changes_requested.code} if changes are requested, ${EXIT_CODES.plan_closed.code} if it is closed,
${EXIT_CODES.not_approved.code} if it is linked to a pull request but not approved, ${EXIT_CODES.pending.code} if it is pending.
${KEY_NOTE}`,
  options: [PLAN_OPTION, FILE_OPTION, URL_OPTION, JSON_OPTION],
  positional: 'file',
  example: 'countersign plan status plan.md',
  quiet: true,
  async run(call) {
    const standing = await readStanding(call);
    show(call, standing);
    call.setExitCode(exitCodeOf(standing));
  },
};

export const planWait: Command = {
  name: 'plan wait',
  summary: 'Wait until a plan is approved, changes are requested, or it is closed',
  detail: `Exits as \`plan status\` does: ${EXIT_CODES.pending.code} and ${EXIT_CODES.not_approved.code} mean that the time was up.\n${KEY_NOTE}`,
  options: [
    PLAN_OPTION,
    FILE_OPTION,
    {
      name: 'timeout',
      value: 'duration',
      meaning: 'How long to wait, such as 90s, 30m or 2h (default 1h, at most 24h).',
    },
    URL_OPTION,
    JSON_OPTION,
  ],
  positional: 'file',
  example: 'countersign plan wait plan.md --timeout 30m',
  quiet: true,
  async run(call) {
    const place = await findService(call);
    const endMs = performance.now() + secondsOf(textOption(call, 'timeout') || '1h') * 1000;
    const withinMs = () => Math.ceil(Math.max(0, endMs - performance.now())) + GRACE_SECONDS * 1000;
    let standing = await readStanding(call, withinMs());
    while (isWaiting(standing)) {
      const left = Math.ceil((endMs - performance.now()) / 1000);
      if (left <= 0) break;
      const timeoutSeconds = Math.min(left, MAX_CALL_SECONDS);
      const wanted = { planId: standing.planId, since: standing.since, timeoutSeconds };
      await callTool(place, 'wait_for_review', wanted, (timeoutSeconds + GRACE_SECONDS) * 1000);
      standing = await readStanding(call, withinMs());
    }
    show(call, standing);
    call.setExitCode(exitCodeOf(standing));
  },
};

async function readStanding(call: Call, withinMs?: number): Promise<Standing> {
  const place = await findService(call);
  const wanted = { planId: await planOf(call), maxTokens: 1000 };
  return callTool<Standing>(place, 'get_plan', wanted, withinMs);
}

function show(call: Call, standing: Standing): void {
  const { commentCount, planId, reviewState, reviews, status, url, version } = standing;
  const decided = currentReviews(standing);
  if (call.options.json) {
    print(printableJson({ planId, url, status, reviewState, version, commentCount, reviews: decided }));
    return;
  }
  print(
    `${describe(standing)}: version ${version}, ${commentCount === 1 ? '1 comment' : `${commentCount} comments`}`,
  );
  for (const { note, reviewer, verdict } of decided)
    print(`  ${printable(reviewer)}: ${verdict.replace('_', ' ')}${note ? `: ${printable(note)}` : ''}`);
  print(printable(url));
  if (reviews.length > decided.length && decided.length === 0)
    print('  Earlier reviews are about an older version.');
}

/** A later verdict of the same reviewer replaces the earlier one. */
function currentReviews({ reviews, version }: Standing) {
  // The newest is first.
  const last = new Map(reviews.toReversed().map((review) => [review.reviewer, review]));
  return [...last.values()].filter((review) => review.version === version && !review.withdrawnAt);
}

/** The status alone is not enough: linking a pull request makes a plan implemented that nobody approved. */
function isApproved({ reviewState, status }: Standing): boolean {
  return (reviewState ?? status) === 'approved';
}

function areChangesRequested(standing: Standing): boolean {
  return standing.reviewState === undefined
    ? currentReviews(standing).some(({ verdict }) => verdict === 'changes_requested')
    : standing.reviewState === 'changes_requested';
}

function describe(standing: Standing): string {
  if (standing.status !== 'implemented') return standing.status;
  if (isApproved(standing)) return 'implemented, approved';
  return `linked, not approved${areChangesRequested(standing) ? ' (changes requested)' : ''}`;
}

function exitCodeOf(standing: Standing): number {
  if (standing.status === 'closed') return EXIT_CODES.plan_closed.code;
  if (isApproved(standing)) return 0;
  if (standing.status === 'implemented') return EXIT_CODES.not_approved.code;
  return areChangesRequested(standing) ? EXIT_CODES.changes_requested.code : EXIT_CODES.pending.code;
}

/** Whether reviewers have yet to decide. A pull request that was linked before doesn't end the wait. */
function isWaiting(standing: Standing): boolean {
  return standing.status !== 'closed' && !isApproved(standing) && !areChangesRequested(standing);
}

async function readPlan(file: string): Promise<string> {
  if (file === '-') return readAll(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartFailure('refused', `cannot read ${printable(file)}: ${(error as Error).message}`, error);
  }
}

/** The given plan, or the one of the file: derived from the repository, the branch and the path, so that it needs no memory. */
async function planOf(call: Call): Promise<string> {
  const given = textOption(call, 'plan');
  if (given) return given;
  const file = textOption(call, 'file');
  if (!file || file === '-')
    throw new StartFailure('usage', 'name the plan with --plan, or the file that it was posted from');
  // `plan status ID`: what `plan post` printed.
  if (UUID.test(file)) return file;
  const clone = await cloneAt(process.cwd(), call.stopped);
  const { CI_COMMIT_REF_NAME, GITHUB_HEAD_REF, GITHUB_REF_NAME } = call.environment;
  const branch = GITHUB_HEAD_REF || GITHUB_REF_NAME || CI_COMMIT_REF_NAME || clone?.branch || '';
  const path = clone ? relative(clone.top, resolve(file)) : resolve(file);
  return uuidOf([clone?.origin ?? clone?.top ?? '', branch, path].join('\n'));
}

/** A UUID (version 8) of the name. */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The agent whose terminal this is, or what stands for a person. */
function agentAround({ environment }: Call): string {
  if (environment.CODEX_SANDBOX || environment.CODEX_HOME) return 'codex';
  if (environment.CURSOR_TRACE_ID) return 'cursor';
  return environment.CLAUDECODE ? 'claude-code' : 'command-line';
}

function secondsOf(duration: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)?$/.exec(duration) ?? [];
  const seconds = Number(number) * { s: 1, m: 60, h: 3600 }[unit ?? 's']!;
  if (!(seconds >= 1 && seconds <= MAX_WAIT_SECONDS))
    throw new StartFailure('usage', '--timeout must be a duration such as 90s, 30m or 2h, at most 24h');
  return seconds;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
