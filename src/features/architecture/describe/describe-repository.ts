/**
 * After the head of a default branch changed: reads the facts of the new head and writes what the repository is and does.
 * Code is read without a lock; what was found is written under the lock of the repository's row, unless it changed meanwhile.
 */
import type { CodeReader } from '../../../platform/core/ports/code-reader.ts';
import type { Call } from '../../../platform/core/work/fair-queue.ts';
import type { NodeState } from '../../../platform/core/work/node-state.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import {
  finishDescribing,
  lockToDescribe,
  noteDescribeProblem,
  type RepositoryToDescribe,
  releaseDescribing,
  startDescribing,
} from '../../repositories/index.ts';
import { replaceCodeWords } from './code-word-store.ts';
import { deleteDescription, upsertOverview } from './describe-store.ts';
import type { Description } from './describe-work.ts';
import { replaceFacts } from './fact-store.ts';
import { maskCode } from './mask-code.ts';
import { type RewriteServices, rewriteSummaries } from './rewrite-summaries.ts';
import { createDescribeWork } from './run-describe-work.ts';
import type { CodeToDescribe } from './summarize/described-code.ts';
import { replaceSummaries } from './summary-store.ts';

const MAX_PATHS = 100_000;
const MAX_README_LINES = 400;
const PROBLEM = 'The code could not be read. The service will retry.';

export interface DescribeServices extends RewriteServices {
  state: Pick<NodeState<unknown>, 'of'>;
  code: Pick<CodeReader, 'read'>;
  announce(topic: string): void;
}

export async function describeRepository(
  services: DescribeServices,
  repositoryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { announce, db, log } = services;
  const repository = await startDescribing(db, repositoryId);
  if (!repository) return;
  announce(repositoryId);
  const startedAt = performance.now();
  try {
    const described = await describeCode(services, repository, signal);
    const description = described && {
      ...described,
      summaries: await rewriteSummaries(services, repository, described.summaries, signal),
    };
    if (await record(db, repository, description)) {
      log.debug({ repositoryId, ms: Math.round(performance.now() - startedAt) }, 'described a repository');
    } else await releaseDescribing(db, repositoryId);
  } catch (error) {
    if (signal.aborted) await releaseDescribing(db, repositoryId);
    else await noteDescribeProblem(db, repositoryId, PROBLEM);
    throw error;
  } finally {
    announce(repositoryId);
  }
}

/** Null for a repository without commits. */
async function describeCode(
  { code, state }: DescribeServices,
  { headCommit: commit, id, name, organizationId }: RepositoryToDescribe,
  signal: AbortSignal,
): Promise<Description | null> {
  if (commit === null) return null;
  // Background work of an organization takes its turn as one caller.
  const call = { caller: { organizationId, userId: 'service', credentialId: 'service' }, signal };
  const facts = await code.read('commitFacts', id, { commit }, call);
  const found = await code.read('findFiles', id, { commit, glob: '**', limit: MAX_PATHS }, call);
  const paths = 'items' in found ? found.items : [];
  const readme = await readReadme(code, id, { commit, paths }, call);
  return state.of(createDescribeWork).describe(call, await maskCode({ name, facts, paths, readme }));
}

/** The README in the root, in Markdown if there are several. */
async function readReadme(
  code: Pick<CodeReader, 'read'>,
  repositoryId: string,
  { commit, paths }: { commit: string; paths: readonly string[] },
  call: Call,
): Promise<CodeToDescribe['readme']> {
  const found = paths.filter((path) => /^readme(?:\.\w{1,10})?$/i.test(path));
  const path = found.find((each) => /\.md$/i.test(each)) ?? found[0];
  if (path === undefined) return null;
  const lines = { startLine: 1, endLine: MAX_README_LINES, maxLines: MAX_README_LINES };
  const file = await code.read('readFile', repositoryId, { commit, path, ...lines }, call);
  return file.kind === 'text' ? { path, text: file.text } : null;
}

/** False when the repository changed meanwhile, or another node described it. */
function record(db: Db, repository: RepositoryToDescribe, description: Description | null): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await lockToDescribe(transaction, repository))) return false;
    const { headCommit, id, organizationId } = repository;
    if (description === null || headCommit === null) await deleteDescription(transaction, id);
    else {
      const { facts, overview, summaries, words } = description;
      await replaceSummaries(transaction, { id, organizationId, commit: headCommit }, summaries);
      await replaceCodeWords(transaction, { id, organizationId }, words);
      await replaceFacts(transaction, { id, organizationId }, facts);
      await upsertOverview(transaction, { ...repository, headCommit }, overview);
    }
    await finishDescribing(transaction, repository);
    return true;
  });
}
