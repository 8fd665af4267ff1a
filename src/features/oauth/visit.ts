/** The current request, for code that the library calls without passing it: the adapter and the audit record. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentSignInVisit } from '../../platform/core/ports/agent-sign-in.ts';

type Visit = Pick<AgentSignInVisit, 'requestId' | 'address' | 'sessionId'> & {
  /** Why a grant that ends during this request ended. */
  endsGrantBecause: 'signed_out' | 'used_twice';
};

const visits = new AsyncLocalStorage<Visit>();

export function duringVisit<T>(visit: Visit, run: () => T): T {
  return visits.run(visit, run);
}

export function currentVisit(): Visit {
  const visit = visits.getStore();
  if (!visit) throw new Error('The library accessed a record outside of a request.');
  return visit;
}
