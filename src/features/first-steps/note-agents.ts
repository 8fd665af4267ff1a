/** Records the first authenticated MCP request of each person's agent, as soon as it arrives. */
import type { Clock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { type Person, saveAgent } from './first-steps-store.ts';

const MAX_NAME_CHARACTERS = 100;
/** Our own programs that call over MCP. */
const OWN = /^countersign-(cli|doctor)$/;
/** People whose agents were recorded are remembered, so that later requests ask nothing; forgotten when there are many. */
const MAX_REMEMBERED = 10_000;

export type NoteAgent = (person: Person, clientName: string) => Promise<void>;

export function createAgentNotes(db: Db, clock: Clock): NoteAgent {
  const noted = new Set<string>();
  return async ({ organizationId, userId }, clientName) => {
    const id = `${organizationId} ${userId}`;
    if (noted.has(id) || OWN.test(clientName)) return;
    const name = [...clientName.replaceAll(/[\s\p{Cc}]+/gu, ' ').toWellFormed()];
    await saveAgent(db, { organizationId, userId }, name.slice(0, MAX_NAME_CHARACTERS).join(''), clock.now());
    if (noted.size >= MAX_REMEMBERED) noted.clear();
    noted.add(id);
  };
}
