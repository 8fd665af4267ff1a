/** The conditions of a setting, each in a few words. */

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
    maxLines !== undefined && `at most ${maxLines.toLocaleString('en-US')} changed lines`,
    maxFiles !== undefined && `at most ${maxFiles.toLocaleString('en-US')} changed files`,
    excludedPaths && `ignoring ${excludedPaths.join(', ')}`,
  ].filter((part) => typeof part === 'string');
}
