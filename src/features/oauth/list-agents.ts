/** GET /api/v2/agents: the caller's signed-in agents in this organization, newest first. */
import { defineOperation } from '../../context.ts';
import { cutPage, DEFAULT_LIMIT, readCursor } from '../../platform/core/operations/page.ts';
import { isUuid } from '../../platform/core/operations/shapes.ts';
import { type AgentRow, selectAgents } from './agent-store.ts';
import { ListAgentsInput, SignedInAgents } from './contract.ts';

export const listAgents = defineOperation({
  name: 'list-agents',
  group: 'Agents',
  summary: 'List your signed-in agents',
  http: { method: 'GET', path: '/api/v2/agents', status: 200 },
  accepts: ['session'],
  role: 'viewer',
  input: ListAgentsInput,
  output: SignedInAgents,
  problems: [],
  async run({ actor, clock, db }, input) {
    const limit = input.limit ?? DEFAULT_LIMIT;
    const rows = await selectAgents(db, actor, {
      beforeId: readCursor(input.cursor, [isUuid])?.[0],
      limit: limit + 1,
      now: clock.now(),
    });
    const { page, nextCursor } = cutPage(rows, limit, (row) => [row.id]);
    return { agents: page.map(presentAgent), nextCursor };
  },
});

function presentAgent(row: AgentRow) {
  const { address, name, returnsTo } = row.payload.agent;
  return {
    id: row.id,
    name,
    address,
    returnsTo,
    signedInAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  };
}
