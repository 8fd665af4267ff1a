/**
 * One refresh of a repository: claim it, update this node's mirror, record the origin's refs for all nodes, then index it and
 * extract its facts.
 * Failures of the origin are recorded as messages; failures to record anything are thrown.
 */
import { isHostError } from '../../engines/code-hosts/index.ts';
import { GitFailure, RemoteRefused } from '../../engines/git/index.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import { uuidv7 } from '../../platform/core/text/uuid.ts';
import { type Db, inTransaction } from '../../platform/db/index.ts';
import {
  type Claim,
  claimRefresh,
  type FoundRefs,
  failRefresh,
  finishRefresh,
  lockClaimedRefresh,
  releaseClaim,
  writeRefs,
} from '../repositories/index.ts';
import { describeFailure } from './describe-failure.ts';
import { RepositoryGone } from './open-origin.ts';
import { type Activity, startProgressWriter } from './progress-writer.ts';
import { readRefs } from './read-refs.ts';
import { refreshDelayMs } from './refresh-delay.ts';

/** Branch heads to index on this node. */
export type IndexHeads = (
  repositoryId: string,
  commits: string[],
  onProgress: (progress: Omit<Activity, 'phase'>) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Extracts the facts of the default branch's head on this node. */
export type ExtractHead = (
  repositoryId: string,
  commit: string,
  onProgress: (progress: Omit<Activity, 'phase'>) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Called in the transaction that writes these refs of a repository. */
export type OnRefreshed = (
  db: Db,
  repository: { id: string; organizationId: string; name: string; headCommit: string | null },
) => Promise<void>;

export interface RefreshServices {
  db: Db;
  log: Log;
  announce(topic: string): void;
  gitDirOf(repositoryId: string): string;
  /** Called when the commits of the refs with this digest are in this node's mirror. */
  onHere(repositoryId: string, refsDigest: Buffer): void;
  sync(
    repositoryId: string,
    wish: { onProgress(progress: Activity): void; signal: AbortSignal },
  ): Promise<void>;
  index?: IndexHeads;
  extract?: ExtractHead;
  onRefreshed?: OnRefreshed;
  refreshSeconds: number;
}

export type RefreshOutcome =
  | { kind: 'refreshed' }
  | { kind: 'failed'; problem: string }
  /** Another worker is refreshing it, or it isn't due. */
  | { kind: 'not_taken' }
  /** It was removed, or another worker took over, in the meantime. */
  | { kind: 'lost' };

export async function refreshMirror(
  services: RefreshServices,
  repositoryId: string,
  options: { onlyWhenDue: boolean; onProgress?(activity: Activity): void; signal: AbortSignal },
): Promise<RefreshOutcome> {
  const { announce, db, log } = services;
  const claim = { repositoryId, token: uuidv7() };
  const claimed = await claimRefresh(db, claim, options);
  if (!claimed) return { kind: 'not_taken' };
  announce(repositoryId);
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const writer = startProgressWriter(services, claim, () => lost.abort(new RepositoryGone()));
  const onProgress = (activity: Activity) => {
    writer.note(activity);
    options.onProgress?.(activity);
  };
  const delayMs = (failures: number) =>
    refreshDelayMs({ failures, refreshSeconds: services.refreshSeconds }, Math.random());
  try {
    await services.sync(repositoryId, { onProgress, signal });
    const found = await readRefs(services.gitDirOf(repositoryId), signal);
    const recorded = await record(services, claim, found);
    if (recorded === 'lost') return { kind: 'lost' };
    if (recorded === 'written') services.onHere(repositoryId, found.digest);
    announce(repositoryId);
    await indexHeads(services, repositoryId, found, onProgress, signal);
    await extractHead(services, repositoryId, found, onProgress, signal);
    await writer.stop();
    await finishRefresh(db, claim, delayMs(0));
    return { kind: 'refreshed' };
  } catch (error) {
    await writer.stop();
    if (lost.signal.aborted || error instanceof RepositoryGone) return { kind: 'lost' };
    if (options.signal.aborted) {
      await releaseClaim(db, claim);
      throw options.signal.reason;
    }
    const problem = describeFailure(error);
    // Failures of the origin are for the repository's managers; our own are for the operator.
    const isOfOrigin = error instanceof GitFailure || error instanceof RemoteRefused || isHostError(error);
    const level = isOfOrigin ? 'info' : 'warn';
    log[level]({ err: error, repositoryId }, 'a repository could not be refreshed');
    await failRefresh(db, claim, { problem, delayMs: delayMs(claimed.failures + 1) });
    return { kind: 'failed', problem };
  } finally {
    await writer.stop();
    announce(repositoryId);
  }
}

/** `lost`: the claim was lost, and the result may be older than what is recorded. `newer`: somebody asked the origin since it started. */
function record(
  { db, log, onRefreshed }: RefreshServices,
  claim: Claim,
  found: FoundRefs,
): Promise<'written' | 'newer' | 'lost'> {
  return inTransaction(db, async (transaction) => {
    const repository = await lockClaimedRefresh(transaction, claim);
    if (!repository) return 'lost';
    if (repository.has_newer) return 'newer';
    await writeRefs(transaction, repository, found, repository.started_at);
    const { id, name, organization_id: organizationId } = repository;
    // Not again after each refresh that changes nothing.
    if (found.leftOut > 0 && !repository.refs_digest?.equals(found.digest))
      log.info(
        { repositoryId: id, leftOut: found.leftOut },
        'branches or tags are not listed: their names are not UTF-8, or too long',
      );
    await onRefreshed?.(transaction, { id, organizationId, name, headCommit: found.headCommit });
    return 'written';
  });
}

/** Search works without an index too, so a failure here doesn't fail the refresh. */
async function indexHeads(
  { index, log }: RefreshServices,
  repositoryId: string,
  { headCommit, refs }: FoundRefs,
  onProgress: (activity: Activity) => void,
  signal: AbortSignal,
): Promise<void> {
  const heads = refs.filter((ref) => ref.kind === 'branch').map((ref) => ref.commit);
  const commits = [...new Set(headCommit === null ? heads : [headCommit, ...heads])];
  if (!index || commits.length === 0) return;
  try {
    await index(repositoryId, commits, (progress) => onProgress({ phase: 'indexing', ...progress }), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn(
      { err: error, repositoryId },
      'a repository could not be indexed; searches work without an index',
    );
  }
}

/** Facts are extracted when they are asked for too, so a failure here doesn't fail the refresh. */
async function extractHead(
  { extract, log }: RefreshServices,
  repositoryId: string,
  { headCommit }: FoundRefs,
  onProgress: (activity: Activity) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!extract || headCommit === null) return;
  try {
    const note = (progress: Omit<Activity, 'phase'>) => onProgress({ phase: 'extracting', ...progress });
    await extract(repositoryId, headCommit, note, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    log.warn({ err: error, repositoryId }, 'the facts of a repository could not be extracted');
  }
}
