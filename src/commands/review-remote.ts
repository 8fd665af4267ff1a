/** Reviews that a running service takes part in: the working tree before a push, and the results of other tools from CI. */
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type CloneHere, cloneAt, runGit } from '../engines/git/index.ts';
import { NoWorkingTree, openWorkingTree } from '../engines/review/index.ts';
import { EXIT_CODES, StartFailure } from '../platform/core/start-failure.ts';
import { callTool, findService } from './call-service.ts';
import { type Call, textOption } from './command.ts';
import type { McpPlace } from './doctor-request.ts';
import { describeFinding, type PrintedFinding } from './print-finding.ts';
import { printable, printableJson } from './printable.ts';

const MAX_SARIF_BYTES = 50 * 1024 * 1024;
/** The service's limits for one review. */
const MAX_REPORTS = 200;
const MAX_DIFF_CHARACTERS = 1_000_000;
const AT_ONCE = 4;
const MAX_PAGES = 200;
const TITLE_CHARACTERS = 200;
const SUBJECT_CHARACTERS = 300;
const MIN_WORDS = 5;
const SCENARIO_CHARACTERS = 2000;
const TOOL_CHARACTERS = 100;
/** Shown when a file isn't valid SARIF. */
const MAX_MISTAKES = 10;

interface StartedPage {
  runId: string;
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
  const folder = textOption(call, 'folder') || process.cwd();
  const { repository } = await repositoryOf(call, folder);
  const base = textOption(call, 'base') || undefined;
  const tree = await openWorkingTree({ folder, base, signal: call.stopped }).catch((error: unknown) => {
    if (error instanceof NoWorkingTree) throw new StartFailure('refused', error.message);
    throw error;
  });
  try {
    if (tree.unreadable.length > 0)
      process.stderr.write(
        `Not reviewed, because git cannot read it: ${printable(tree.unreadable.join(', '))}\n`,
      );
    const { stdout } = await runGit(
      ['diff', '--no-color', '--no-ext-diff', '--find-renames', '--end-of-options', tree.base, tree.head],
      { gitDir: tree.gitDir, signal: call.stopped },
    );
    const diff = stdout.toString('utf8');
    if (diff.trim() === '') {
      print(`Nothing changed since ${printable(tree.baseName)}.`);
      return;
    }
    if (diff.length > MAX_DIFF_CHARACTERS)
      throw new StartFailure(
        'refused',
        `the change is larger than ${MAX_DIFF_CHARACTERS} characters. Review it in parts, or after pushing it`,
      );
    const pages = await startReview(place, { repository, diff, base: tree.base });
    await callTool(place, 'finish_review', { runId: pages[0]!.runId, lookedAt: [] });
    const { notReviewed = [], warning } = pages[0]!;
    if (warning !== undefined) process.stderr.write(`${printable(warning)}\n`);
    for (const file of notReviewed) process.stderr.write(`Not reviewed: ${printable(file)}.\n`);
    const findings = pages.flatMap(({ found }) => found);
    report(call, findings, findings.map(describeFinding), { elsewhere: 0, refused: [] });
  } finally {
    await tree.close();
  }
}

interface SarifResult {
  tool: string;
  rule: string;
  message: string;
  file: string;
  line: number;
}

/** `countersign review --sarif FILE --url`: results of another tool on added lines become findings; its own result is the proof. */
export async function sendSarif(call: Call): Promise<void> {
  const place = await findService(call);
  const { clone, repository } = await repositoryOf(call, process.cwd());
  const results = await readSarif(textOption(call, 'file'), clone);
  const tool = cut([...new Set(results.map((result) => result.tool))].join(', '), TOOL_CHARACTERS) || 'SARIF';
  const pages = await startReview(place, { repository, ...changeOf(call, clone), tool });
  const { runId } = pages[0]!;
  const added = new Map(
    pages.flatMap(({ files }) => files.map((file) => [file.path, readRanges(file.added)] as const)),
  );
  const onAdded = results.filter(({ file, line }) =>
    added.get(file)?.some(([from, to]) => line >= from && line <= to),
  );
  const sent = onAdded.slice(0, MAX_REPORTS);
  const refused: { result: SarifResult; reason: string }[] = [];
  for (let index = 0; index < sent.length; index += AT_ONCE) {
    await Promise.all(
      sent.slice(index, index + AT_ONCE).map(async (result) => {
        const reply = await callTool<{ status: string; reason?: string }>(place, 'report_finding', {
          runId,
          ...{ file: result.file, line: result.line, claim: 'rule', rule: result.rule },
          // Two results of one rule are about different things.
          subject: cut(`${result.rule}: ${result.message}`, SUBJECT_CHARACTERS),
          title: cut(`${result.tool}: ${result.message.split('\n', 1)[0]}`, TITLE_CHARACTERS),
          scenario: cut(scenarioOf(result), SCENARIO_CHARACTERS),
        });
        if (reply.status !== 'accepted') refused.push({ result, reason: reply.reason ?? reply.status });
      }),
    );
  }
  const { findings } = await callTool<{ findings: { title: string; file: string; line: number }[] }>(
    place,
    'finish_review',
    {
      runId,
      lookedAt: [],
    },
  );
  const printed = findings.map(
    ({ file, line, title }) => `${printable(`${file}:${line}`)}  ${printable(title)}`,
  );
  report(call, findings, printed, {
    elsewhere: results.length - onAdded.length,
    refused: [
      ...refused.map(({ reason, result }) => `${result.file}:${result.line}  ${result.rule}: ${reason}`),
      ...(onAdded.length > sent.length
        ? [`${onAdded.length - sent.length} more results: a review takes ${MAX_REPORTS}`]
        : []),
    ],
  });
}

/** Many tools say it in a few words; the service asks for a sentence. */
function scenarioOf({ message, rule, tool }: SarifResult): string {
  return message.trim().split(/\s+/).length < MIN_WORDS
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
const SarifLog = z.object({
  runs: z.array(
    z.object({
      tool: z.object({ driver: z.object({ name: optionalText }).optional() }).optional(),
      results: z
        .array(
          z.object({
            ruleId: optionalText,
            rule: z.object({ id: optionalText }).optional(),
            level: optionalText,
            kind: optionalText,
            message: z.object({ text: optionalText }).optional(),
            suppressions: z.array(z.unknown()).nullish(),
            locations: z
              .array(
                z.object({
                  physicalLocation: z
                    .object({
                      artifactLocation: z.object({ uri: optionalText }).optional(),
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
      const [uri, line] = [place?.artifactLocation?.uri, place?.region?.startLine];
      const isWrong =
        !['none', 'note'].includes(result.level ?? 'warning') && ['fail', undefined].includes(result.kind);
      if (!uri || !line || !isWrong || result.suppressions?.length) return [];
      return [
        {
          tool: run.tool?.driver?.name?.trim() || 'SARIF',
          rule: cut(result.ruleId?.trim() || result.rule?.id?.trim() || 'result', TITLE_CHARACTERS),
          message: result.message?.text?.trim() || result.ruleId?.trim() || 'No message.',
          file: pathOf(uri, clone),
          line,
        },
      ];
    }),
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

function report(
  call: Call,
  findings: object[],
  printed: string[],
  { elsewhere, refused }: { elsewhere: number; refused: string[] },
): void {
  if (call.options.json) print(printableJson({ findings, elsewhere, refused }));
  else {
    for (const finding of printed) print(finding);
    for (const line of refused) print(`Not accepted: ${printable(line)}`);
    print(findings.length === 1 ? '1 finding' : `${findings.length} findings`);
    if (elsewhere > 0)
      print(`${elsewhere} ${elsewhere === 1 ? 'result is' : 'results are'} not on added lines.`);
  }
  if (findings.length > 0) call.setExitCode(EXIT_CODES.findings.code);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
