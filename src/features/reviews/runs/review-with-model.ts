/**
 * Adds a model's part to a review: one narrow look for each reviewer, then a second look at everything that no check could prove. It
 * only adds candidates and says what it read. Whatever happens to the model, the rest of the review stands.
 */

import {
  type Asking,
  BUILT_IN_INSTRUCTIONS,
  type CodePlace,
  type FileWithText,
  findProblems,
  type Looked,
  lookAgain,
  ModelError,
  type ModelReviewer,
} from '../../../engines/models/index.ts';
import type {
  BuiltInReviewer,
  CheckRun,
  JudgedCandidate,
  Producer,
  ReportedFinding,
  ReviewResult,
} from '../../../engines/review/contract/code-review.ts';
import type { CodeReviewer } from '../../../engines/review/contract/code-reviewer.ts';
import { createMasker, fileClassOf, matchPaths } from '../../../engines/review/index.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { ConfiguredModels, ModelEndpoint } from '../../../platform/core/ports/model-endpoint.ts';
import type { Log } from '../../../platform/core/telemetry/log.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { type Budget, type ModelServices, openBudget, openModels } from '../../models/index.ts';
import type { LoadedReviewers } from '../../reviewers/index.ts';
import type { Decision } from '../decisions/read-decisions.ts';
import { answerReport } from './answer-report.ts';

/** For all looks together; what is not done by then is left out. */
const MAX_MODEL_MS = 6 * 60_000;
const MAX_AT_ONCE = 2;
const MAX_SECOND_LOOKS = 10;
const MAX_TEXT_BYTES = 4 * 1024 * 1024;
const MAX_GUIDELINE_CHARACTERS = 8000;
const NOT_SHOWN = new Set(['generated', 'vendored', 'lock']);

export interface ModelReviewServices extends ModelServices {
  code: Pick<CodeReader, 'read' | 'readTexts'> & Pick<CodeReviewer, 'judgeFinding' | 'readChange'>;
  log: Log;
  now(): Date;
  /** For tests. */
  maxModelRequestMs?: number;
}

export interface ReviewedChange {
  runId: string;
  organizationId: string;
  repositoryId: string;
  pullRequestId: string;
  from: string;
  to: string;
  excludedPaths: string[];
  reviewers: LoadedReviewers;
  /** Read from the repository's files. */
  decisions: readonly Decision[];
  result: ReviewResult;
}

/** The result with what the model added; the same result without a model. */
export async function reviewWithModel(
  services: ModelReviewServices,
  change: ReviewedChange,
  call: Call,
): Promise<ReviewResult> {
  try {
    return await addModel(services, change, call);
  } catch (error) {
    const failure = describeFailure(error, { call, isLate: () => false, log: services.log });
    const failed = { name: 'model', reviewer: 'logic_errors', looksFor: 'what a model finds', candidates: 0 };
    return { ...change.result, checks: [...change.result.checks, { ...failed, failure }] };
  }
}

async function addModel(
  services: ModelReviewServices,
  change: ReviewedChange,
  call: Call,
): Promise<ReviewResult> {
  const models = await openModels(services, change.organizationId);
  const reviewers = reviewersFor(change.reviewers);
  if (!models || reviewers.length === 0) return change.result;
  const late = AbortSignal.timeout(MAX_MODEL_MS);
  const signal = AbortSignal.any([call.signal, late]);
  const budget = await openBudget(
    services,
    {
      id: change.runId,
      organizationId: change.organizationId,
      purpose: 'review',
      pullRequestId: change.pullRequestId,
    },
    models.budgets,
  );
  const review = await startReview(services, change, { ...call, signal }, { budget, models });
  await inTurns(reviewers, (reviewer) => review.look(reviewer, () => late.aborted));
  await review.lookAgainAtAll(() => late.aborted);
  call.signal.throwIfAborted();
  await budget.flush();
  const { candidates, checks } = change.result;
  return {
    ...change.result,
    candidates: [...candidates, ...review.candidates],
    checks: [...checks, ...review.checks],
  };
}

interface ScopedReviewer extends ModelReviewer {
  matches(path: string): boolean;
}

function reviewersFor({ builtIn, instructionReviewers, stored }: LoadedReviewers): ScopedReviewer[] {
  return [
    ...builtIn.flatMap((key) => {
      const instructions = BUILT_IN_INSTRUCTIONS[key as BuiltInReviewer];
      return instructions
        ? [{ key, title: stored.get(key)?.title ?? key, instructions, matches: () => true }]
        : [];
    }),
    ...instructionReviewers.map(({ instructions, key, paths, title }) => ({
      ...{ key, title, instructions },
      matches: paths.length === 0 ? () => true : matchPaths(paths),
    })),
  ];
}

async function startReview(
  services: ModelReviewServices,
  change: ReviewedChange,
  call: Call,
  { budget, models }: { budget: Budget; models: ConfiguredModels },
) {
  const { code, log } = services;
  const { from, repositoryId, to } = change;
  const unmasked = await readFiles(services, change, call);
  // Secrets in the change are masked wherever the model could read them.
  const mask = await createMasker(unmasked.flatMap(({ hunks, text }) => [text ?? '', removedIn(hunks)]));
  const files = await Promise.all(unmasked.map((file) => maskFile(file, mask)));
  const place: CodePlace = { code, repositoryId, commit: to, call, mask };
  const guidelines = (
    await mask(change.reviewers.guidelines.map(({ path, text }) => `${path}:\n${text}`).join('\n\n'))
  ).slice(0, MAX_GUIDELINE_CHARACTERS);
  const producer: Producer = {
    ...{ kind: 'model', userId: null, userName: null, sessionId: null },
    ...{ vendor: models.finding.format, model: models.finding.model },
  };
  const candidates: JudgedCandidate[] = [];
  const checks: CheckRun[] = [];
  const earlier = change.result.candidates
    .filter(({ fate }) => fate.kind === 'finding' || fate.kind === 'grouped')
    .map((each) => ({ ...each, id: each.key }));

  const asking = (endpoint: ModelEndpoint): Asking => ({
    endpoint,
    left: budget.left,
    onUsage: (usage) => budget.use(endpoint.model, usage),
    signal: call.signal,
    ...(services.maxModelRequestMs !== undefined && { maxRequestMs: services.maxModelRequestMs }),
  });

  async function report(finding: ReportedFinding): Promise<string> {
    const { excludedPaths, organizationId, pullRequestId } = change;
    const place = { organizationId, repositoryId, pullRequestId };
    const run = { ...place, from, to, excludedPaths, earlier, fileDecisions: change.decisions };
    const outcome = await answerReport({ code, db: services.db, call }, run, finding, producer);
    const { candidate } = outcome;
    if (outcome.kind === 'accepted') {
      candidates.push({ ...candidate, fate: { kind: 'finding' } });
      earlier.push({ ...candidate, fate: { kind: 'finding' }, id: candidate.key });
      return 'Accepted.';
    }
    const { reason } = outcome;
    candidates.push({
      ...candidate,
      fate: { kind: outcome.kind === 'refused' ? 'refused' : 'known', reason },
    });
    return outcome.kind === 'refused' ? `Refused: ${reason}` : `Not needed: ${reason}`;
  }

  return {
    candidates,
    checks,
    async look(reviewer: ScopedReviewer, isLate: () => boolean): Promise<void> {
      const own = files.filter(({ path }) => reviewer.matches(path));
      if (own.length === 0) return;
      const before = candidates.length;
      const failure = await findProblems({
        ...{ asking: asking(models.finding), place, reviewer, guidelines, report },
        files: own,
      }).then(
        (looked) => describeLooked(looked, own, budget),
        (error: unknown) => describeFailure(error, { call, isLate, log }),
      );
      checks.push({
        name: 'model',
        reviewer: reviewer.key,
        looksFor: `what ${reviewer.title} looks for, with the model ${models.finding.model}`,
        candidates: candidates.length - before,
        failure,
      });
    },
    async lookAgainAtAll(isLate: () => boolean): Promise<void> {
      const open = candidates.filter(({ fate, proof }) => fate.kind === 'finding' && proof === 'unverified');
      const endpoint = models.secondLook ?? models.finding;
      const problems: string[] = [];
      await inTurns(open.slice(0, MAX_SECOND_LOOKS), async (candidate) => {
        const file = files.find(({ path }) => path === candidate.file);
        try {
          const answer = await lookAgain({ asking: asking(endpoint), place, candidate, file });
          if (answer === 'confirmed') candidate.confirmedBy = endpoint.model;
          if (answer === 'refuted')
            candidate.fate = { kind: 'refused', reason: 'The second look refuted it.' };
        } catch (error) {
          problems.push(describeFailure(error, { call, isLate, log }));
        }
      });
      if (open.length > MAX_SECOND_LOOKS)
        problems.push(`Only ${MAX_SECOND_LOOKS} of ${open.length} findings had a second look.`);
      if (problems.length === 0) return;
      checks.push({
        name: 'second_look',
        reviewer: open[0]!.reviewer,
        looksFor: `findings that the model ${endpoint.model} can refute`,
        candidates: 0,
        failure: [...new Set(problems)].join(' '),
      });
    },
  };
}

/** Changed files that a model is shown, with their text at the head. */
async function readFiles(
  { code }: ModelReviewServices,
  { excludedPaths, from, repositoryId, to }: ReviewedChange,
  call: Call,
): Promise<FileWithText[]> {
  const change = await code.readChange(repositoryId, { from, to, excludedPaths }, call);
  if (change.kind !== 'change') return [];
  const shown = change.files.filter(
    ({ hunks, path }) => hunks.length > 0 && !NOT_SHOWN.has(fileClassOf(path)),
  );
  const texts = await code.readTexts(
    repositoryId,
    { files: shown.map(({ path }) => ({ commit: to, path })), maxBytes: MAX_TEXT_BYTES },
    call,
  );
  return shown.map((file, index) => {
    const text = texts[index];
    return { ...file, text: text?.kind === 'text' ? text.text : null };
  });
}

function removedIn(hunks: FileWithText['hunks']): string {
  return hunks.flatMap(({ removed }) => removed).join('\n');
}

/** The same lines, without their secrets. */
async function maskFile(file: FileWithText, mask: (text: string) => Promise<string>): Promise<FileWithText> {
  const maskLines = async (lines: string[]) =>
    lines.length === 0 ? lines : (await mask(lines.join('\n'))).split('\n');
  return {
    ...file,
    text: file.text === null ? null : await mask(file.text),
    hunks: await Promise.all(
      file.hunks.map(async (hunk) => ({
        ...hunk,
        removed: await maskLines(hunk.removed),
        added: await maskLines(hunk.added),
      })),
    ),
  };
}

/** Unread files, as the coverage says it; null if everything was read. */
function describeLooked({ ended, partly, whole }: Looked, files: FileWithText[], budget: Budget) {
  const unread = files.length - whole.size - partly.size;
  const said = [
    ...(ended === 'budget' ? [`It stopped early: ${budget.tightest()} is used up.`] : []),
    ...(ended === 'step_limit' ? ['It stopped early, after the most steps that it may take.'] : []),
    ...(partly.size > 0 ? [`The change is large: only parts of ${[...partly].join(', ')} were read.`] : []),
    ...(unread > 0 ? [`${unread} of ${files.length} files were not read.`] : []),
  ];
  return said.length > 0 ? said.join(' ') : null;
}

function describeFailure(
  error: unknown,
  { call, isLate, log }: { call: Call; isLate: () => boolean; log: Log },
): string {
  if (error instanceof ModelError) return error.message;
  if (isLate()) return `It took longer than ${MAX_MODEL_MS / 60_000} minutes.`;
  call.signal.throwIfAborted();
  log.warn({ err: error }, 'a look with a model failed');
  return 'It stopped unexpectedly.';
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const take = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, take));
}
