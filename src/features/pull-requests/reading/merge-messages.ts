/** The messages that the commits of a merge get unless a person writes another one. Pure. */
import type { CommitAuthor } from '../../../platform/core/ports/code-differences.ts';
import { writtenIn } from './written-text.ts';

export interface MessageFacts {
  number: number;
  title: string;
  description: string;
  headBranch: string;
  /** Its page here. */
  address?: string;
  /** For a squash: everyone but its author and committer, who the commit names already. */
  coAuthors?: readonly CommitAuthor[];
}

export function mergeMessages({
  address,
  coAuthors = [],
  description,
  headBranch,
  number,
  title,
}: MessageFacts): {
  merge: string;
  squash: string;
} {
  const page = address === undefined ? [] : [`Pull-Request: ${address}`];
  const trailers = [...page, ...coAuthors.map(({ email, name }) => `Co-authored-by: ${name} <${email}>`)];
  const text = writtenIn(description);
  return {
    merge: paragraphs([`Merge pull request #${number} from ${headBranch}`, title, ...page]),
    squash: paragraphs([`${title} (#${number})`, text, trailers.join('\n')]),
  };
}

function paragraphs(texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
