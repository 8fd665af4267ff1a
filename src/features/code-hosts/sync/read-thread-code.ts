/** Reads our copy of the repository for a pull request of a code host: the merge base of its head, and commented lines. */
import type { PullRequest, Thread } from '../../../engines/code-hosts/index.ts';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import { readCommentedCode } from '../../discussions/index.ts';
import { authorOfPush } from '../../pull-requests/index.ts';
import type { HeadFacts } from './apply-pull-request.ts';
import type { ThreadCode } from './apply-threads.ts';
import type { StoredDiscussion } from './stored-state-store.ts';

export interface CodeOfRepository {
  code: Pick<CodeReader, 'read' | 'compare' | 'changedFiles'>;
  repositoryId: string;
  call: Call;
  /** Whether to fetch commits that this node lacks; those of closed pull requests are rarely asked for. */
  mayFetch: boolean;
}

/** Commits that this node can't get now leave null; they are asked for again later. */
export async function readHeadFacts(
  repository: CodeOfRepository,
  { base, head }: PullRequest,
  known:
    | {
        head_commit: string | null;
        merge_base: string | null;
        base_commit: string | null;
        forced: boolean | null;
      }
    | undefined,
): Promise<HeadFacts> {
  if (head.commit === null) return { mergeBase: null, forced: null };
  const isKnown = known?.head_commit === head.commit;
  const mergeBase =
    isKnown && known.merge_base !== null && known.base_commit === base.commit
      ? known.merge_base
      : await mergeBaseOf(repository, head.commit, base.commit);
  const before = isKnown ? null : (known?.head_commit ?? null);
  const contains = await compared(repository, 'isAncestor', before, head.commit);
  const isHere = contains !== null && mergeBase !== null;
  const author = isHere
    ? await authorOfPush(repository, repository.repositoryId, { base: mergeBase, head: head.commit })
    : undefined;
  return { mergeBase, forced: contains === null ? null : !contains, author };
}

/** For threads that are new here, or whose code could not be read before; by the host's thread ID. */
export async function readThreadCode(
  repository: CodeOfRepository,
  threads: Thread[],
  { base, ours }: { base: string | null; ours: StoredDiscussion[] },
): Promise<Map<string, ThreadCode>> {
  const known = new Map(ours.map((row) => [row.host_thread_id, row]));
  const found = new Map<string, ThreadCode>();
  for (const thread of threads) {
    const row = known.get(thread.id);
    if (row && (row.commented_code !== '' || row.start_line === 0)) continue;
    const commit = thread.side === 'new' ? thread.commit : await mergeBaseOf(repository, thread.commit, base);
    found.set(thread.id, { commit, code: await readLines(repository, thread, commit) });
  }
  return found;
}

async function readLines(
  { call, code, mayFetch, repositoryId }: CodeOfRepository,
  { endLine, file, startLine }: Thread,
  commit: string | null,
): Promise<string> {
  if (commit === null || startLine === 0) return '';
  try {
    if (!mayFetch && !(await isHere({ call, code, repositoryId }, commit, commit))) return '';
    return (await readCommentedCode(code, repositoryId, { commit, file, startLine, endLine }, call))
      .commentedCode;
  } catch (error) {
    if (error instanceof Problem) return '';
    throw error;
  }
}

function mergeBaseOf(repository: CodeOfRepository, from: string | null, to: string | null) {
  return compared(repository, 'mergeBase', from, to);
}

async function compared<Name extends 'mergeBase' | 'isAncestor'>(
  { call, code, mayFetch, repositoryId }: CodeOfRepository,
  name: Name,
  from: string | null,
  to: string | null,
) {
  if (from === null || to === null) return null;
  try {
    if (!mayFetch && !(await isHere({ call, code, repositoryId }, from, to))) return null;
    return await code.compare(name, repositoryId, { from, to }, call);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function isHere(
  { call, code, repositoryId }: Pick<CodeOfRepository, 'call' | 'code' | 'repositoryId'>,
  from: string,
  to: string,
): Promise<boolean> {
  return (await code.changedFiles(repositoryId, { from, to, paths: [''] }, call)) !== null;
}
