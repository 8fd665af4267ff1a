/** The first steps as their person sees them. */
import type { Db } from '../../platform/db/index.ts';
import { STEPS } from './contract.ts';
import { type Person, selectFirstSteps } from './first-steps-store.ts';

export async function presentFirstSteps(db: Db, person: Person) {
  const row = await selectFirstSteps(db, person);
  const connectedAt = row?.agent_connected_at;
  return {
    agent: connectedAt ? { name: row.agent_name!, connectedAt: connectedAt.toISOString() } : null,
    skipped: STEPS.filter((step) => row?.skipped.includes(step)),
  };
}
