/** Renews a claim and writes progress to the database, at most twice a second and never after the end. */
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Claim, renewClaim } from '../repositories/index.ts';

const WRITE_EVERY_MS = 500;
const RENEW_EVERY_MS = 10_000;

/** The present step of a refresh; unknown values are null. */
export interface Activity {
  phase: 'connecting' | 'counting' | 'receiving' | 'resolving' | 'indexing' | 'extracting';
  percent: number | null;
  objects: number | null;
  totalObjects: number | null;
  bytes: number | null;
}

export interface ProgressWriter {
  note(activity: Activity): void;
  /** Resolves when the last write has finished. */
  stop(): Promise<void>;
}

export function startProgressWriter(
  services: { db: Db; log: Log },
  claim: Claim,
  onLost: () => void,
): ProgressWriter {
  const { db, log } = services;
  let newest: Record<string, unknown> = { phase: 'connecting' };
  let isNew = false;
  let writtenAt = performance.now();
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    isNew = false;
    writtenAt = performance.now();
    try {
      if (!(await renewClaim(db, claim, newest))) onLost();
    } catch (error) {
      log.debug({ err: error, repositoryId: claim.repositoryId }, 'progress could not be written');
    }
    writing = undefined;
  };
  const timer = setInterval(() => {
    if (writing === undefined && (isNew || performance.now() - writtenAt >= RENEW_EVERY_MS))
      writing = write();
  }, WRITE_EVERY_MS);
  timer.unref();

  return {
    note(activity) {
      newest = { ...activity };
      isNew = true;
    },
    async stop() {
      clearInterval(timer);
      await writing;
    },
  };
}
