/** Each summary of a repository begins with what the repository is: once is enough, where it is listed first. */
import type { Summary } from './summary-text.tsx';

export function withoutRepeats(summaries: Summary[]): Summary[] {
  const shown = new Set<string>();
  return summaries.map((summary) => {
    const [lead, ...rest] = summary.sentences;
    const key = `${summary.repoId} ${lead?.text}`;
    if (shown.has(key) && rest.length > 0) return { ...summary, sentences: rest };
    shown.add(key);
    return summary;
  });
}
