/**
 * Tells a code host what came of the reviews of a pull request: one summary, edited in place and found again by its hidden marker,
 * and a check on the commit. Both can be repeated, so a crash in between posts nothing twice.
 */
import {
  type CodeHost,
  type HostError,
  isHostError,
  type PullRequestRef,
} from '../../../engines/code-hosts/index.ts';
import type { Db } from '../../../platform/db/index.ts';
import { markReportSent, selectReport } from '../../reviews/index.ts';
import { REVIEW_CHECK_NAME } from './host-statuses.ts';
import { isSameText, markerOf } from './posted-text.ts';

/** Returns whether the description was written. Throws if the host can't be asked now; what it refuses is recorded. */
export async function sendReport(
  db: Db,
  host: CodeHost,
  ref: PullRequestRef,
  { description, id, url }: { id: string; url: string /** As it is there now. */; description: string },
): Promise<boolean> {
  const report = await selectReport(db, id);
  if (report?.sending !== 'waiting') return false;
  const problems: string[] = [];
  let summaryCommentId = report.summary_comment_id;
  // Once there is a summary it is kept up to date.
  if (report.summary !== null || summaryCommentId !== null) {
    const marker = markerOf(id);
    const body = `${report.summary ?? report.check_text}\n\n[Open in Countersign](${url})\n\n${marker}`;
    await attempt(problems, async () => {
      const comment = await host.setSummary(ref, { commentId: summaryCommentId, marker, body });
      summaryCommentId = comment.id;
    });
  }
  await attempt(problems, () =>
    host.setCheck(ref.repository, report.commit, {
      name: REVIEW_CHECK_NAME,
      state: report.check_state,
      title: report.check_title,
      text: report.check_text,
      url,
    }),
  );
  // Somebody may have written one meanwhile.
  const { description: text, replaced_description: replaced } = report;
  const writes = text !== null && isSameText(description, replaced ?? '');
  if (writes) await attempt(problems, () => host.setDescription(ref, text));
  const problem = problems.length > 0 ? problems.join(' ') : null;
  await markReportSent(db, id, report, { summaryCommentId, problem });
  return writes;
}

async function attempt(problems: string[], send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isHostError(error, 'forbidden', 'not_found', 'invalid', 'unsupported')) throw error;
    problems.push((error as HostError).message);
  }
}
