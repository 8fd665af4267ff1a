/** Reviews that a running service takes part in: the working tree before a push, and the results of other tools from CI. */

import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CloneHere, cloneAt, runGit } from '../../engines/git/index.ts';
import { FINDING_LIMITS, REPORT_LIMITS } from '../../engines/review/contract/finding-limits.ts';
import type { Operations } from '../../operation-types.ts';
import { EXIT_CODES, StartFailure } from '../../platform/core/errors/start-failure.ts';
import type { WithoutNulls } from '../../platform/core/operations/without-nulls.ts';
import { type Call, textOption } from '../command.ts';
import type { McpPlace } from '../doctor/doctor-request.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { callTool, findService } from './call-service.ts';
import { folderOfClone, openTree } from './open-tree.ts';
import { describeFinding, type PrintedFinding } from './print-finding.ts';

const MAX_SARIF_BYTES = 50 * 1024 * 1024;
const AT_ONCE = 4;
const MAX_PAGES = 200;
const TOOL_CHARACTERS = 100;
/** Shown when a file isn't valid SARIF. */
const MAX_MISTAKES = 10;

interface StartedPage {
  runId: string;
  headCommit: string;
  nextCursor?: string;
  /** That the review is not complete. */
  warning?: string;
  /** Changed files with the reason, such as `logo.png (binary)`. */
  notReviewed?: string[];
  found: PrintedFinding[];
  files: { path: string; added: string }[];
}

/** `countersign review --url`: what the organization's reviewers, decisions and other repositories say about the working tree. */
export async function reviewWithService(call: Call): Promise<void> {
  const place = await findService(call);
  const folder = await folderOfClone(call);
  const { repository } = await repositoryOf(call, folder);
  const tree = await openTree(call, folder);
  try {
    if (tree.unreadable.length > 0)
      process.stderr.write(
        `Not reviewed, because git cannot read it: ${printable(tree.unreadable.join(', '))}\n`,
      );
    const { stdout } = await runGit(
      ['diff', '--no-color', '--no-ext-diff', '--find-renames', '--end-of-options', tree.base, tree.head],
      { gitDir: tree.gitDir, signal: call.stopped },
    );
    const { diff, leftOut } = readDiff(stdout);
    for (const file of leftOut) process.stderr.write(`Not reviewed: ${printable(file)} (not UTF-8).\n`);
    if (stdout.length === 0 && !call.options.json) {
      print(`Nothing changed since ${printable(tree.baseName)}.`);
      return;
    }
    if (diff === '') return report(call, [], [], NOTHING_ELSE);
    if (diff.length > REPORT_LIMITS.diffCharacters)
      throw new StartFailure(
        'refused',
        `the change is larger than ${REPORT_LIMITS.diffCharacters} characters. Review it in parts, or after pushing it`,
      );
    const pages = await startReview(place, { repository, diff, base: tree.base });
    await callTool(place, 'finish_review', { runId: pages[0]!.runId, lookedAt: [] });
    const { notReviewed = [], warning } = pages[0]!;
    if (warning !== undefined) process.stderr.write(`${printable(warning)}\n`);
    for (const file of notReviewed) process.stderr.write(`Not reviewed: ${printable(file)}.\n`);
    const findings = pages.flatMap(({ found }) => found);
    report(call, findings, findings.map(describeFinding), NOTHING_ELSE);
  } finally {
    await tree.close();
  }
}

/** The service takes text: files in another encoding are left out. */
function readDiff(stdout: Buffer): { diff: string; leftOut: string[] } {
  // In Latin-1, each byte is a character. Lines of files never start with `diff`, but with a space or a sign.
  const sections = stdout.toString('latin1').split(/(?<=\n)(?=diff --git )/);
  const bytes = sections.map((section) => Buffer.from(section, 'latin1'));
  return {
    diff: Buffer.concat(bytes.filter((section) => isUtf8(section))).toString('utf8'),
    leftOut: bytes.filter((section) => !isUtf8(section)).map((section) => pathIn(section.toString('utf8'))),
  };
}

/** The new path of a changed file, else the old one. */
function pathIn(section: string): string {
  const [, from = '', to = ''] = /^--- (.*)\n\+\+\+ (.*)$/m.exec(section) ?? [];
  const quoted = to === '/dev/null' ? from : to;
  return quoted.replace(/^"?[ab]\//, '').replace(/"?\t?$/, '');
}

interface SarifResult {
  tool: string;
  rule: string;
  message: string;
  file: string;
  line: number;
}

type ReportReply = WithoutNulls<Operations['report-review-finding']['output']>;

/** `countersign review --sarif FILE --url`: results of another tool on added lines become findings; its own result is the proof. */
export async function sendSarif(call: Call): Promise<void> {
  const place = await findService(call);
  const { clone, repository } = await repositoryOf(call, process.cwd());
  const results = await readSarif(textOption(call, 'file'), clone);
  const tool = cut([...new Set(results.map((result) => result.tool))].join(', '), TOOL_CHARACTERS) || 'SARIF';
  const pages = await startReview(place, { repository, ...changeOf(call, clone), tool });
  const { headCommit, runId } = pages[0]!;
  const analyzed = textOption(call, 'commit').toLowerCase();
  if (textOption(call, 'pr') && !headCommit.startsWith(analyzed)) {
    await callTool(place, 'finish_review', { runId, lookedAt: [] });
    throw new StartFailure(
      'refused',
      `the newest commit is ${headCommit.slice(0, 12)}, not ${printable(analyzed)}: its lines may be elsewhere. Analyze the newest commit`,
    );
  }
  const added = new Map(
    pages.flatMap(({ files }) => files.map((file) => [file.path, readRanges(file.added)] as const)),
  );
  const onAdded = results.filter(({ file, line }) =>
    added.get(file)?.some(([from, to]) => line >= from && line <= to),
  );
  const sent = onAdded.slice(0, REPORT_LIMITS.reports);
  const refused: { result: SarifResult; reason: string }[] = [];
  for (let index = 0; index < sent.length; index += AT_ONCE) {
    await Promise.all(
      sent.slice(index, index + AT_ONCE).map(async (result) => {
        const reply = await callTool<ReportReply>(place, 'report_finding', {
          runId,
          ...{ file: result.file, line: result.line, claim: 'rule', rule: result.rule },
          // Two results of one rule are about different things.
          subject: cut(`${result.rule}: ${result.message}`, REPORT_LIMITS.subjectCharacters),
          title: titleOf(result),
          scenario: cut(scenarioOf(result), REPORT_LIMITS.scenarioCharacters),
        });
        // A result that another job sent too is a finding of both, and its fate is known only at the end. A resolved one is
        // settled.
        const isSettled = reply.status !== 'duplicate' || reply.discussionStatus === 'resolved';
        if (reply.status !== 'accepted' && isSettled)
          refused.push({ result, reason: reply.reason ?? reply.status });
      }),
    );
  }
  const { findings, heldBack } = await callTool<FinishReply>(place, 'finish_review', { runId, lookedAt: [] });
  report(
    call,
    findings,
    findings.map((each) => printable(describePlaced(each))),
    {
      elsewhere: results.length - onAdded.length,
      // Decided where it was written, so that of two jobs at once neither counts on the other.
      already: heldBack
        .filter(({ discussionStatus = '' }) => ['open', 'addressed'].includes(discussionStatus))
        .map(describePlaced),
      overLimit: heldBack
        .filter(({ overLimit }) => overLimit)
        .map((each) => `${describePlaced(each)}: ${each.reason}`),
      refused: [
        ...refused.map(({ reason, result }) => `${result.file}:${result.line}  ${result.rule}: ${reason}`),
        ...(onAdded.length > sent.length
          ? [`${onAdded.length - sent.length} more results: a review takes ${REPORT_LIMITS.reports}`]
          : []),
      ],
    },
  );
}

type Finished = WithoutNulls<Operations['finish-review']['output']>;
type PlacedTitle = Pick<Finished['findings'][number], 'title' | 'file' | 'line'>;

/** Here, the tool names only what is over the limit. */
interface FinishReply {
  findings: PlacedTitle[];
  heldBack: (Omit<Finished['heldBack'][number], 'overLimit'> & { overLimit?: true })[];
}

function describePlaced({ file, line, title }: PlacedTitle): string {
  return `${file}:${line}  ${title}`;
}

function titleOf({ message, tool }: SarifResult): string {
  return cut(`${tool}: ${message.split('\n', 1)[0]}`, REPORT_LIMITS.titleCharacters);
}

/** Many tools say it in a few words; the service asks for a sentence. */
function scenarioOf({ message, rule, tool }: SarifResult): string {
  return message.trim().split(/\s+/).length < FINDING_LIMITS.scenarioWords
    ? `${tool} reports that the rule ${rule} is broken here: ${message}`
    : message;
}

/** Every page: the changed lines of all files. */
async function startReview(place: McpPlace, input: object): Promise<StartedPage[]> {
  const pages = [await callTool<StartedPage>(place, 'start_review', input)];
  for (
    let cursor = pages[0]!.nextCursor;
    cursor && pages.length < MAX_PAGES;
    cursor = pages.at(-1)!.nextCursor
  )
    pages.push(await callTool<StartedPage>(place, 'start_review', { runId: pages[0]!.runId, cursor }));
  return pages;
}

function changeOf(call: Call, clone: CloneHere | undefined): { prNumber: number } | { branch: string } {
  const number = textOption(call, 'pr');
  if (number) {
    if (!/^[1-9]\d{0,8}$/.test(number))
      throw new StartFailure('usage', '--pr must be the number of a pull request');
    return { prNumber: Number(number) };
  }
  const branch = textOption(call, 'commit') || textOption(call, 'branch') || clone?.branch;
  if (!branch) throw new StartFailure('usage', 'name the change with --pr, --branch or --commit');
  return { branch };
}

async function repositoryOf(
  call: Call,
  folder: string,
): Promise<{ repository: string; clone: CloneHere | undefined }> {
  const clone = await cloneAt(folder, call.stopped);
  const repository = textOption(call, 'repository') || clone?.name;
  if (!repository)
    throw new StartFailure(
      'usage',
      'name the repository with --repository: this folder is not inside a git repository',
    );
  return { repository, clone };
}

/** Makes text from a tool acceptable to the service. */
function cut(text: string, characters: number): string {
  return text.replaceAll('\0', '').slice(0, characters).toWellFormed();
}

const optionalText = z.string().optional();
const ToolComponent = z.object({
  name: optionalText,
  rules: z
    .array(z.object({ id: optionalText, defaultConfiguration: z.object({ level: optionalText }).optional() }))
    .optional(),
});
const SarifLog = z.object({
  version: z
    .literal('2.1.0', {
      error: ({ input }) => `must be 2.1.0, not ${input}: let the tool write that version`,
    })
    .optional(),
  runs: z.array(
    z.object({
      tool: z
        .object({ driver: ToolComponent.optional(), extensions: z.array(ToolComponent).optional() })
        .optional(),
      artifacts: z.array(z.object({ location: z.object({ uri: optionalText }).optional() })).optional(),
      results: z
        .array(
          z.object({
            ruleId: optionalText,
            ruleIndex: z.int().optional(),
            rule: z
              .object({
                id: optionalText,
                index: z.int().optional(),
                toolComponent: z.object({ index: z.int().optional() }).optional(),
              })
              .optional(),
            level: optionalText,
            kind: optionalText,
            message: z.object({ text: optionalText }).optional(),
            suppressions: z.array(z.object({ status: optionalText })).nullish(),
            locations: z
              .array(
                z.object({
                  physicalLocation: z
                    .object({
                      artifactLocation: z.object({ uri: optionalText, index: z.int().optional() }).optional(),
                      region: z.object({ startLine: z.int().optional() }).optional(),
                    })
                    .optional(),
                }),
              )
              .optional(),
          }),
        )
        // Null: the tool did not run.
        .nullish(),
    }),
  ),
});

/** The parts of SARIF 2.1.0 that matter here; suppressed and passing results are left out. */
async function readSarif(file: string, clone: CloneHere | undefined): Promise<SarifResult[]> {
  const wrong = (why: string, cause?: unknown) =>
    new StartFailure('refused', `${printable(file)} ${why}`, cause);
  const size = await stat(file).catch((error: unknown) => {
    throw wrong(`can't be read: ${(error as Error).message}`, error);
  });
  if (size.size > MAX_SARIF_BYTES) throw wrong('is larger than 50 MiB');
  let document: unknown;
  try {
    document = JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    throw wrong('is not JSON', error);
  }
  const read = SarifLog.safeParse(document);
  if (!read.success) {
    const mistakes = read.error.issues.map(
      ({ message, path }) => `${path.join('.') || 'the file'}: ${message}`,
    );
    const more = mistakes.length > MAX_MISTAKES ? `; ${mistakes.length - MAX_MISTAKES} more` : '';
    throw wrong(`is not SARIF 2.1.0: ${printable(mistakes.slice(0, MAX_MISTAKES).join('; '))}${more}`);
  }
  return read.data.runs.flatMap((run) =>
    (run.results ?? []).flatMap((result) => {
      const place = result.locations?.[0]?.physicalLocation;
      const artifact = place?.artifactLocation;
      const uri = artifact?.uri ?? run.artifacts?.[artifact?.index ?? -1]?.location?.uri;
      const line = place?.region?.startLine;
      const rule = ruleOf(run, result);
      const level = result.level ?? rule?.defaultConfiguration?.level ?? 'warning';
      const isWrong = !['none', 'note'].includes(level) && ['fail', undefined].includes(result.kind);
      const isSuppressed = result.suppressions?.some(({ status = 'accepted' }) => status === 'accepted');
      if (!uri || !line || !isWrong || isSuppressed) return [];
      const ruleId = result.ruleId?.trim() || result.rule?.id?.trim() || rule?.id?.trim();
      return [
        {
          tool: run.tool?.driver?.name?.trim() || 'SARIF',
          rule: cut(ruleId || 'result', REPORT_LIMITS.titleCharacters),
          message: result.message?.text?.trim() || ruleId || 'No message.',
          file: pathOf(uri, clone),
          line,
        },
      ];
    }),
  );
}

type SarifRun = z.output<typeof SarifLog>['runs'][number];

/** Rules can be in the tool or in one of its extensions. */
function ruleOf({ tool }: SarifRun, result: NonNullable<SarifRun['results']>[number]) {
  const extension = result.rule?.toolComponent?.index;
  const component = extension === undefined ? tool?.driver : tool?.extensions?.[extension];
  const rules = component?.rules ?? [];
  const id = result.ruleId ?? result.rule?.id;
  return (
    rules[result.ruleIndex ?? result.rule?.index ?? -1] ??
    (id ? rules.find((rule) => rule.id === id) : undefined)
  );
}

/** Relative to the repository. */
function pathOf(uri: string, clone: CloneHere | undefined): string {
  try {
    if (uri.startsWith('file:')) {
      const path = fileURLToPath(uri);
      return clone ? relative(clone.top, path) : path;
    }
    return decodeURIComponent(uri).replace(/^(\.\/)+/, '');
  } catch {
    return uri;
  }
}

/** `12-14, 20` as pairs. */
function readRanges(text: string): [number, number][] {
  return [...text.matchAll(/(\d+)(?:[-–](\d+))?/g)].map(([, from, to]) => [Number(from), Number(to ?? from)]);
}

/** Results that are no new findings. */
interface OtherResults {
  /** How many are not on added lines. */
  elsewhere: number;
  /** Discussions of the pull request that nobody resolved. */
  already: string[];
  /** Not raised, because the pull request has too many findings. */
  overLimit: string[];
  refused: string[];
}
const NOTHING_ELSE: OtherResults = { elsewhere: 0, already: [], overLimit: [], refused: [] };

function report(
  call: Call,
  findings: object[],
  printed: string[],
  { already, elsewhere, overLimit, refused }: OtherResults,
): void {
  if (call.options.json) print(printableJson({ findings, elsewhere, already, overLimit, refused }));
  else {
    for (const finding of printed) print(finding);
    for (const line of already) print(`Already a discussion: ${printable(line)}`);
    for (const line of overLimit) print(`Not raised: ${printable(line)}`);
    for (const line of refused) print(`Not accepted: ${printable(line)}`);
    print(findings.length === 1 ? '1 finding' : `${findings.length} findings`);
    if (already.length === 1) print('1 result is already a discussion.');
    else if (already.length > 1) print(`${already.length} results are already discussions.`);
    if (elsewhere > 0)
      print(`${elsewhere} ${elsewhere === 1 ? 'result is' : 'results are'} not on added lines.`);
  }
  // A job that runs again has the same result.
  if (findings.length + already.length + overLimit.length > 0) call.setExitCode(EXIT_CODES.findings.code);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
