/** The conditions of a setting, each in a few words. */
import { formatNumber } from '../../components/format-number.ts';

interface Conditions {
  repositories?: string[] | undefined;
  authors?: string[] | undefined;
  excludedPaths?: string[] | undefined;
  maxLines?: number | undefined;
  maxFiles?: number | undefined;
}

export function describeConditions(conditions: Conditions): string[] {
  const { authors, excludedPaths, maxFiles, maxLines, repositories } = conditions;
  return [
    repositories && `in ${repositories.join(', ') || 'repositories that you can’t see'}`,
    authors && `by ${authors.join(', ')}`,
    maxLines !== undefined && `at most ${formatNumber(maxLines)} changed lines`,
    maxFiles !== undefined && `at most ${formatNumber(maxFiles)} changed files`,
    excludedPaths && `ignoring ${excludedPaths.join(', ')}`,
  ].filter((part) => typeof part === 'string');
}
