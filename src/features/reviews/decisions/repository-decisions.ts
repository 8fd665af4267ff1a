/**
 * The dismissals in the files of a repository. They are read at the base of a change, never at its head: a pull request must not dismiss
 * its own findings.
 */
import { setImmediate } from 'node:timers/promises';
import type { CheckRun } from '../../../engines/review/contract/code-review.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import { createCachePerOwner } from '../../../platform/core/work/bounded-cache.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { listMarkdownFiles } from '../../reviewers/index.ts';
import { DECISION_FOLDER, decisionOf, readDecisionFile } from './decision-file.ts';
import type { Decision } from './read-decisions.ts';

/** Files beyond it are named as a problem. */
const MAX_FILES = 500;
const MAX_BYTES = 4 * 1024 * 1024;
/** Size of the cache of files with dismissals; the least recently used are dropped. */
const MAX_KEPT_CHARACTERS = 16 * 1024 * 1024;

export interface RepositoryDecisions {
  decisions: readonly Decision[];
  /** Files with a mistake, as checks that could not run. */
  problems: readonly CheckRun[];
}

/** Every report of an agent asks for those at the base of its review, and a commit never changes. */
const cacheOf = createCachePerOwner<RepositoryDecisions>(MAX_KEPT_CHARACTERS);

export async function readRepositoryDecisions(
  code: Pick<CodeReader, 'read' | 'readTexts'>,
  repositoryId: string,
  commit: string,
  call: Call,
): Promise<RepositoryDecisions> {
  const place = `${repositoryId} ${commit}`;
  const cache = cacheOf(code);
  const kept = cache.get(place);
  if (kept) return kept;
  const listed = await listMarkdownFiles(code, { repositoryId, commit, folder: DECISION_FOLDER }, call);
  if (listed.length === 0) return { decisions: [], problems: [] };
  const paths = listed.slice(0, MAX_FILES);
  const files = paths.map((path) => ({ commit, path }));
  const texts = await code.readTexts(repositoryId, { files, maxBytes: MAX_BYTES }, call);
  const read: { decisions: Decision[]; problems: CheckRun[] } = { decisions: [], problems: [] };
  for (const [index, text] of texts.entries()) {
    if (text.kind !== 'text') continue;
    // Lets other work run between two files.
    await setImmediate();
    const { decisions, problems } = parseDecisionFiles([{ path: paths[index]!, text: text.text }]);
    read.decisions.push(...decisions);
    read.problems.push(...problems);
  }
  if (listed.length > MAX_FILES)
    read.problems.push(unusable(DECISION_FOLDER, `Only the first ${MAX_FILES} files are used.`));
  const characters = texts.reduce((sum, text) => sum + (text.kind === 'text' ? text.text.length : 0), 0);
  cache.set(place, read, characters);
  return read;
}

export function parseDecisionFiles(files: readonly { path: string; text: string }[]): RepositoryDecisions {
  const read: { decisions: Decision[]; problems: CheckRun[] } = { decisions: [], problems: [] };
  for (const { path, text } of files) {
    const parsed = readDecisionFile(text);
    if (parsed.ok) read.decisions.push(decisionOf(path, parsed.file));
    else read.problems.push(unusable(path, parsed.problem));
  }
  return read;
}

function unusable(path: string, failure: string): CheckRun {
  return { name: path, reviewer: `file:${path}`, looksFor: 'what was dismissed', candidates: 0, failure };
}
