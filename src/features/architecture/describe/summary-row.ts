/** A summary as it is stored: its sentences, its text, and the words that find it. */
import { splitWords } from '../find/split-words.ts';
import type { SummaryRow } from './summary-store.ts';

export interface Sentence {
  text: string;
  evidence: { path: string; line: number }[];
  /** Says what the repository is or does, rather than what is where. */
  isMain?: boolean;
  /** Names that the sentence is about and doesn't show: the summary is found by them. */
  alsoFound?: string;
}

export interface Summary {
  domain: string;
  sentences: Sentence[];
}

export function summaryRow(repositoryName: string, { domain, sentences }: Summary): SummaryRow {
  const summary = sentences.map(({ text }) => text).join(' ');
  const main = sentences.filter(({ isMain }) => isMain).map(({ text }) => text);
  const name = `${repositoryName} ${domain}`;
  return {
    domain,
    summary,
    sentences: sentences.map(({ evidence, text }) => ({ text, evidence })),
    words: splitWords(`${name} ${summary} ${sentences.map(({ alsoFound = '' }) => alsoFound).join(' ')}`),
    mainWords: splitWords(`${name} ${main.join(' ')}`),
  };
}
