/** The messages that the commits of a merge get unless a person writes another one. Pure. */

export interface MessageFacts {
  number: number;
  title: string;
  description: string;
  headBranch: string;
}

export function mergeMessages({ description, headBranch, number, title }: MessageFacts): {
  merge: string;
  squash: string;
} {
  const text = description.trim();
  return {
    merge: `Merge pull request #${number} from ${headBranch}\n\n${title}`,
    squash: text === '' ? `${title} (#${number})` : `${title} (#${number})\n\n${text}`,
  };
}
