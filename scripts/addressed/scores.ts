/** Recall, false-positive rate and what follows from them. */
import type { LabeledThread } from './labeled-threads.ts';

export interface Score {
  name: string;
  recall: number;
  falsePositives: number;
  balanced: number;
}

export function score(name: string, threads: readonly LabeledThread[], found: readonly boolean[]): Score {
  const rate = (label: LabeledThread['label']) => {
    const all = threads.flatMap((thread, index) => (thread.label === label ? [found[index]!] : []));
    return all.filter(Boolean).length / Math.max(1, all.length);
  };
  const [recall, falsePositives] = [rate('addressed'), rate('not_addressed')];
  return { name, recall, falsePositives, balanced: (recall + 1 - falsePositives) / 2 };
}

export function average(scores: readonly Score[]): Score {
  const mean = (read: (score: Score) => number) =>
    scores.reduce((sum, one) => sum + read(one), 0) / scores.length;
  return {
    name: scores[0]!.name,
    recall: mean(({ recall }) => recall),
    falsePositives: mean(({ falsePositives }) => falsePositives),
    balanced: mean(({ balanced }) => balanced),
  };
}

export function describeScore({ name, recall, falsePositives, balanced }: Score): string {
  const figure = (value: number) => value.toFixed(3).padStart(9);
  return `${name.padEnd(34)}${figure(recall)}${figure(falsePositives)}${figure(balanced)}`;
}

/** The share of the found threads that are really addressed, if this share of all threads is. */
export function precisionAt(share: number, { recall, falsePositives }: Score): number {
  const [right, wrong] = [share * recall, (1 - share) * falsePositives];
  return right + wrong === 0 ? 1 : right / (right + wrong);
}
