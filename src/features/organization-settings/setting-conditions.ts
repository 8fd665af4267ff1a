/**
 * Whether a setting is on for a pull request: it is enabled, and the pull request meets all of its conditions. Files at
 * excluded paths don't count: not for the limits, and a pull request that changes only such files meets no condition.
 */
import { compileGlob, type Glob } from '../../engines/search/index.ts';
import type { SettingConditions } from './contract.ts';

export interface ChangedFile {
  path: string;
  /** Added and removed lines. */
  lines: number;
}

export interface PullRequestFacts {
  repositoryId: string;
  /** Every name of the author: their name, email address and login on the code host. */
  authorNames: string[];
  files: ChangedFile[];
}

export interface SettingState {
  enabled: boolean;
  conditions: SettingConditions;
}

export function isOnFor({ conditions, enabled }: SettingState, pullRequest: PullRequestFacts): boolean {
  return enabled && meetsConditions(conditions, pullRequest);
}

function meetsConditions(
  { authors, excludedPaths, maxFiles, maxLines, repositories }: SettingConditions,
  pullRequest: PullRequestFacts,
): boolean {
  if (repositories && !repositories.includes(pullRequest.repositoryId)) return false;
  if (authors && !sharesName(authors, pullRequest.authorNames)) return false;
  const files = withoutExcluded(pullRequest.files, excludedPaths ?? []);
  if (files.length === 0 && pullRequest.files.length > 0) return false;
  if (maxFiles !== undefined && files.length > maxFiles) return false;
  return maxLines === undefined || files.reduce((sum, { lines }) => sum + lines, 0) <= maxLines;
}

function sharesName(authors: string[], names: string[]): boolean {
  const known = new Set(names.map(fold));
  return authors.some((author) => known.has(fold(author)));
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}

/** The files that no glob matches. */
export function withoutExcluded<File extends { path: string }>(files: File[], globs: string[]): File[] {
  if (globs.length === 0) return files;
  const compiled = globs.map(compileValid);
  return files.filter(({ path }) => {
    const bytes = Buffer.from(path);
    return !compiled.some((glob) => glob.matches(bytes, 0, bytes.length));
  });
}

/** Globs are checked when they are saved. */
function compileValid(pattern: string): Glob {
  const compiled = compileGlob(pattern);
  if (!compiled.ok) throw new Error(`${pattern} is not a valid glob: ${compiled.message}`);
  return compiled.glob;
}
