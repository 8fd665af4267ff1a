/** Who is visiting, for what the library calls without telling: the adapter and the audit record. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentSignInVisit } from '../../platform/core/agent-sign-in.ts';

type Visit = Pick<AgentSignInVisit, 'requestId' | 'address' | 'sessionId'> & {
  /** What it means when a grant ends during this request. */
  endsGrantBecause: 'signed_out' | 'used_twice';
};

const visits = new AsyncLocalStorage<Visit>();

export function duringVisit<T>(visit: Visit, run: () => T): T {
  return visits.run(visit, run);
}

export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('The library asked for a record outside of a request.');
  return visit;
}
