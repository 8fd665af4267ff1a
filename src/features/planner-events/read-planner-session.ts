/** Summarizes what an agent reported about the planning session of a plan. */
import type { Db } from '../../platform/db/index.ts';
import type { Reader } from '../repositories/index.ts';
import { selectPlannerSession, selectTellingPayloads } from './planner-event-store.ts';

export interface PlannerSessionSummary {
  eventCount: number;
  firstEventAt: Date;
  lastEventAt: Date;
  agentVendor: string | null;
  modelId: string | null;
  tokensUsed: { input_tokens: number; output_tokens: number } | null;
  repositories: string[];
}

export async function readPlannerSession(
  db: Db,
  reader: Reader,
  sessionId: string,
): Promise<PlannerSessionSummary | undefined> {
  const session = await selectPlannerSession(db, reader, sessionId);
  if (!session) return undefined;
  const payloads = (await selectTellingPayloads(db, reader.organizationId, sessionId)).map(readPayload);
  return {
    eventCount: session.event_count,
    firstEventAt: session.first_event_at,
    lastEventAt: session.last_event_at,
    agentVendor: session.agent_vendor,
    modelId: payloads.map(modelIn).find((model) => model !== undefined) ?? null,
    tokensUsed: payloads.map(tokensIn).find((tokens) => tokens !== undefined) ?? null,
    repositories: session.repositories,
  };
}

/** Payloads are free-form; those that can't be parsed are ignored. */
function readPayload(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function modelIn(payload: Record<string, unknown>): string | undefined {
  const model = payload.modelId ?? payload.model_id ?? payload.model;
  return typeof model === 'string' && model !== '' && model.length <= 200 ? model : undefined;
}

function tokensIn(payload: Record<string, unknown>) {
  const sources = [payload.tokensUsed, payload.tokens_used, payload.usage, payload];
  for (const source of sources) {
    if (typeof source !== 'object' || source === null) continue;
    const { input_tokens, output_tokens } = source as Record<string, unknown>;
    if (isCount(input_tokens) && isCount(output_tokens)) return { input_tokens, output_tokens };
  }
  return undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
