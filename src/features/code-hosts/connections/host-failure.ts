/** Decides what a failure of a code host means for the work with it, and how long to back off. */
import type { HostError } from '../../../engines/code-hosts/index.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { recordAudit, serviceOf } from '../../audit/index.ts';
import { BY_SERVICE, SubjectChange } from '../../events/index.ts';
import { lockAuthorized, markRateLimited, markUnauthorized, markUnavailable } from './host-health-store.ts';

const FIRST_DELAY_MS = 15_000;
const MAX_DELAY_MS = 60 * 60_000;
const FORBIDDEN_DELAY_MS = 60 * 60_000;

export type FailureDecision =
  /** The host as a whole can't be asked now; the work stays due. */
  | { kind: 'host' }
  /** This work alone failed. Without a delay it is not retried automatically. */
  | { kind: 'work'; delayMs: number | null };

/** Records what concerns the whole host. `failures` is how often this work failed before. */
export async function noteHostFailure(
  db: Db,
  codeHostId: string,
  error: HostError,
  { failures, now }: { failures: number; now: Date },
): Promise<FailureDecision> {
  if (error.code === 'unauthorized') {
    await stopHost(db, codeHostId, error.message, now);
    return { kind: 'host' };
  }
  if (error.code === 'rate_limited') {
    const waitMs = error.until ? error.until.getTime() - now.getTime() : FIRST_DELAY_MS;
    await markRateLimited(db, codeHostId, Math.max(1000, waitMs));
    return { kind: 'host' };
  }
  if (error.code === 'not_found') return { kind: 'work', delayMs: null };
  if (error.code === 'forbidden') return { kind: 'work', delayMs: FORBIDDEN_DELAY_MS };
  if (error.code === 'unavailable') await markUnavailable(db, codeHostId, error.message);
  return { kind: 'work', delayMs: Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures, 10)) };
}

type HostRow = NonNullable<Awaited<ReturnType<typeof lockAuthorized>>>;

class RefusedCredential extends SubjectChange<HostRow, { problem: string }, 'code_host_credential_refused'> {
  protected readonly kind = 'code_host';
  readonly host: HostRow;

  constructor(db: Db, host: HostRow, at: Date) {
    super(db, host, at);
    this.host = host;
  }

  protected update(values: { problem?: string; last_event: string }): Promise<void> {
    return markUnauthorized(this.db, this.host.id, values);
  }
}

/** Until the credential is replaced. Admins are notified once, in their inbox. */
function stopHost(db: Db, codeHostId: string, problem: string, now: Date): Promise<void> {
  return inTransaction(db, async (transaction) => {
    const host = await lockAuthorized(transaction, codeHostId);
    if (!host) return;
    await recordAudit(transaction, serviceOf(host.organization_id, now), {
      action: 'code_host.credential_refused',
      subjectId: codeHostId,
      subjectName: host.name ?? host.url,
      detail: { problem },
    });
    const change = new RefusedCredential(transaction, host, now);
    change.set({ problem });
    change.record('code_host_credential_refused', { note: problem });
    await change.write(BY_SERVICE);
  });
}
