/** The reviewers that an agent's review follows: those of the organization, and the files of the repository at the base of the change. */
import { type Context, callOf } from '../../../context.ts';
import { builtInReviewer, type LoadedReviewers, loadReviewers } from '../../reviewers/index.ts';
import type { AgentReviewRow } from './agent-review-store.ts';

export function reviewersOf(
  context: Context,
  review: Pick<AgentReviewRow, 'organization_id' | 'repository_id' | 'merge_base'>,
): Promise<LoadedReviewers> {
  const { merge_base: baseCommit, organization_id: organizationId, repository_id: repositoryId } = review;
  return loadReviewers(context, { organizationId, repositoryId, baseCommit }, callOf(context));
}

/** Their titles by key. */
export function titlesOf({ files, stored }: LoadedReviewers): Map<string, string> {
  return new Map([
    ...[...stored].map(([key, { title }]) => [key, title] as const),
    ...files.map(({ key, title }) => [key, title] as const),
  ]);
}

/** Undefined if all of the titles are known. */
export function unknownTitles(reviewers: LoadedReviewers, titles: string[]): string | undefined {
  const known = [...titlesOf(reviewers).values()];
  const names = new Set(known.map((title) => title.toLowerCase()));
  const unknown = titles.filter((title) => !names.has(title.trim().toLowerCase()));
  if (unknown.length === 0) return undefined;
  return `There is no reviewer ${unknown.map((title) => `“${title}”`).join(', ')}. Reviewers: ${known.join(', ')}.`;
}

/** For an agent to read. Rules are run by the service; agents follow instructions and guidelines. */
export function presentReviewers(reviewers: LoadedReviewers, titles: string[] | undefined) {
  const shown = [
    ...reviewers.builtIn.map((key) => ({
      ...{ title: reviewers.stored.get(key)?.title ?? key, looksFor: builtInReviewer(key).description },
      ...{ instructions: null, paths: [] },
    })),
    ...reviewers.instructionReviewers.map(({ description, instructions, paths, title }) => ({
      ...{ title, looksFor: description, instructions, paths },
    })),
    ...reviewers.ruleReviewers.map(({ paths, title }) => ({
      ...{ title, looksFor: 'Its rules, which the service runs.', instructions: null, paths },
    })),
  ];
  const wanted = titles && new Set(titles.map((title) => title.trim().toLowerCase()));
  return [
    ...shown.filter(({ title }) => !wanted || wanted.has(title.toLowerCase())),
    ...reviewers.guidelines.map(({ path, text }) => ({
      ...{
        title: path,
        looksFor: 'Guidelines of the repository for every reviewer.',
        instructions: text,
        paths: [],
      },
    })),
  ];
}
