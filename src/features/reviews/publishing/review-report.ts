/**
 * Writes the reviews of a pull request for a code host: a check on the newest commit, which always concludes and says what was not
 * looked at, and a summary as soon as there is a finding. Pure. Other repositories are never named.
 */
import type { CheckRun, NotReviewed } from '../../../engines/review/contract/code-review.ts';
import { code, escapeMarkdown } from './finding-body.ts';

const MAX_LISTED_FINDINGS = 30;
const MAX_LISTED_FILES = 10;

export interface ReportedRun {
  headCommit: string;
  state: 'done' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  problem: string | null;
  files: number;
  moreFiles: number;
  notReviewed: NotReviewed[];
  checks: Pick<CheckRun, 'name' | 'failure' | 'note'>[];
  heldBack: number;
}

export interface ReportedFinding {
  title: string;
  reviewer: string;
  file: string;
  line: number;
  status: 'open' | 'addressed' | 'resolved';
  isDismissed: boolean;
}

export interface ReviewReport {
  commit: string;
  checkState: 'success' | 'neutral';
  checkTitle: string;
  checkText: string;
  summary: string | null;
}

export function reviewReport(run: ReportedRun, findings: ReportedFinding[]): ReviewReport {
  const open = findings.filter(({ status }) => status === 'open').length;
  const missed = coverage(run);
  const listed = listFindings(findings);
  const commit = run.headCommit.slice(0, 12);
  const introduction =
    run.state === 'done'
      ? `Reviewed ${code(commit)}: ${plural(run.files, 'file')}.`
      : `${code(commit)} was not reviewed: ${escapeMarkdown(run.problem ?? '')}`;
  const notes = run.checks.flatMap(({ note }) => (note === undefined ? [] : escapeMarkdown(note)));
  const body = [introduction, ...notes, ...listed, ...missed].join('\n\n');
  return {
    commit: run.headCommit,
    checkState: run.state === 'done' && open === 0 && missed.length === 0 ? 'success' : 'neutral',
    checkTitle: checkTitle(run, open),
    checkText: body,
    summary: findings.length === 0 ? null : `**Countersign: ${count(findings)}**\n\n${body}`,
  };
}

/** Whether a review looked at everything that changed, with every check. */
export function lookedAtEverything({
  checks,
  heldBack,
  moreFiles,
  notReviewed,
  state,
}: Pick<ReportedRun, 'checks' | 'heldBack' | 'moreFiles' | 'notReviewed' | 'state'>): boolean {
  return (
    state === 'done' &&
    moreFiles === 0 &&
    heldBack === 0 &&
    notReviewed.length === 0 &&
    checks.every(({ failure }) => failure === null)
  );
}

function checkTitle(run: ReportedRun, open: number): string {
  if (run.state === 'skipped') return `Not reviewed: ${run.problem ?? ''}`;
  if (run.state === 'failed') return `The review failed: ${run.problem ?? ''}`;
  const found = open === 0 ? 'No open findings' : plural(open, 'open finding');
  if (lookedAtEverything({ ...run, heldBack: 0 })) return found;
  const files = run.notReviewed.length + run.moreFiles;
  return files > 0 ? `${found}; ${plural(files, 'file')} not looked at` : `${found}; some checks did not run`;
}

function count(findings: ReportedFinding[]): string {
  const number = (wanted: (finding: ReportedFinding) => boolean) => findings.filter(wanted).length;
  const open = number(({ status }) => status === 'open');
  const others = [
    [number(({ status }) => status === 'addressed'), 'addressed'],
    [number(({ isDismissed, status }) => status === 'resolved' && !isDismissed), 'resolved'],
    [number(({ isDismissed, status }) => status === 'resolved' && isDismissed), 'dismissed'],
  ] as const;
  return [
    open === 0 ? 'no open findings' : plural(open, 'open finding'),
    ...others.filter(([some]) => some > 0).map(([some, what]) => `${some} ${what}`),
  ].join(', ');
}

const STATUS = { open: 'Open', addressed: 'Addressed', resolved: 'Resolved' } as const;

function listFindings(findings: ReportedFinding[]): string[] {
  if (findings.length === 0) return [];
  // Open findings come first.
  const sorted = findings.toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'));
  const lines = sorted
    .slice(0, MAX_LISTED_FINDINGS)
    .map(({ file, isDismissed, line, reviewer, status, title }) => {
      const what = status === 'resolved' && isDismissed ? 'Dismissed' : STATUS[status];
      return `- ${what}: ${escapeMarkdown(title)} (${escapeMarkdown(reviewer)}, ${code(`${file}:${line}`)})`;
    });
  const more = findings.length - MAX_LISTED_FINDINGS;
  return [[...lines, ...(more > 0 ? [`- ${more} more`] : [])].join('\n')];
}

/** Parts that were not read, held back or could not run; empty if nothing. */
function coverage({ checks, heldBack, moreFiles, notReviewed, state }: ReportedRun): string[] {
  if (state !== 'done') return [];
  const parts: string[] = [];
  if (notReviewed.length + moreFiles > 0) {
    const paths = notReviewed
      .slice(0, MAX_LISTED_FILES)
      .map(({ path, reason }) => `- ${code(path)}: ${escapeMarkdown(reason)}`);
    const more = notReviewed.length + moreFiles - paths.length;
    if (more > 0) paths.push(`- ${plural(more, 'more file')}`);
    parts.push(`Not looked at:\n${paths.join('\n')}`);
  }
  const failed = checks.filter(({ failure }) => failure !== null);
  if (failed.length > 0)
    parts.push(`These checks did not finish: ${failed.map(({ name }) => code(name)).join(', ')}.`);
  if (heldBack > 0) parts.push(`${plural(heldBack, 'finding')} held back by the limit.`);
  return parts;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
