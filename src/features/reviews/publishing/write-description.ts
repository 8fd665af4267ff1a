/** Fills in an empty description. What a person wrote is never replaced, and one that a person emptied stays empty. */
import { maskText } from '../../../engines/review/index.ts';
import type { PullRequestChange } from '../../pull-requests/index.ts';
import { updateReportDescription } from './review-report-store.ts';

/** On a code host it is written with the next synchronization, unless the description changed there meanwhile. */
export async function writeDescription(change: PullRequestChange, written: string): Promise<void> {
  const text = await maskText(written);
  const { description, generated_description: earlier, id, origin } = change.pullRequest;
  if (!isOursToWrite(description, earlier) || isSame(description, text)) return;
  change.set({ generated_description: text });
  if (origin === 'host') {
    await updateReportDescription(change.db, id, { description: text, replaces: description });
    return;
  }
  change.set({ description: text });
  change.record('pull_request_edited', { fields: ['description'] });
}

export function isOursToWrite(description: string, earlier: string | null): boolean {
  return earlier === null ? description.trim() === '' : isSame(description, earlier);
}

/** Hosts change line ends and the white space around a text. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll(/\r\n?/g, '\n').trim() === other.trim();
}
