/** Answers requests for the history of a file, once it is certain that the commit has it. */
import type { CodeRequests } from '../../../platform/core/ports/code-reader.ts';
import { readPath } from '../../../platform/core/text/path-text.ts';
import { blame, listFileCommits, searchCommits } from '../../git/index.ts';
import type { HandlerCall } from '../../processes/index.ts';
import { findPath } from './read-tree-path.ts';
import type { RepositoryReader } from './repository-reader.ts';

type Place = { commit: string; path: string };

export async function blameLines(
  reader: RepositoryReader,
  params: CodeRequests['blameLines']['params'],
  call: HandlerCall,
): Promise<CodeRequests['blameLines']['result']> {
  const file = await fileOf(reader, params, call);
  return file && blame({ ...file, lines: { from: params.startLine, to: params.endLine } });
}

export async function fileHistory(
  reader: RepositoryReader,
  params: CodeRequests['fileHistory']['params'],
  call: HandlerCall,
): Promise<CodeRequests['fileHistory']['result']> {
  const file = await fileOf(reader, params, call);
  return file && listFileCommits({ ...file, lines: params.lines, limit: params.limit });
}

export function findCommits(
  reader: RepositoryReader,
  params: CodeRequests['searchCommits']['params'],
  { signal, time }: HandlerCall,
): Promise<CodeRequests['searchCommits']['result']> {
  const timeoutMs = Math.max(1, time.timeLimitMs - time.waitedMs);
  return searchCommits(params, { gitDir: reader.gitDir, signal, timeoutMs });
}

/** Null when the path isn't a file, or when its name isn't text, which can't be passed to git. */
async function fileOf(reader: RepositoryReader, { commit, path }: Place, { signal, time }: HandlerCall) {
  const bytes = readPath(path);
  const entry = await findPath(reader, commit, bytes);
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes);
  if (entry?.kind !== 'file' || !isText) return null;
  const timeoutMs = Math.max(1, time.timeLimitMs - time.waitedMs);
  return { gitDir: reader.gitDir, commit, path: bytes.toString('utf8'), signal, timeoutMs };
}
