/** Each summary of a repository begins with what the repository is: once is enough. */
import type { Sentence, Summary } from './summary-text.tsx';

/** The sentence that all summaries of a repository begin with, and what they say besides; null if they begin differently. */
export function leadOf(summaries: Summary[]): { lead: Sentence | null; rest: Summary[] } {
  const lead = summaries[0]?.sentences[0];
  if (!lead || summaries.some(({ sentences }) => sentences[0]?.text !== lead.text)) {
    return { lead: null, rest: summaries };
  }
  const rest = summaries.map((summary) => ({ ...summary, sentences: summary.sentences.slice(1) }));
  return { lead, rest: rest.filter(({ sentences }) => sentences.length > 0) };
}

/** Where several repositories are listed: the sentence stays in the summary that comes first. */
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
