/** Finds out what a model can do, with two short questions. */
import { z } from 'zod';
import type { ModelEndpoint, ModelUsage } from '../../platform/core/ports/model-endpoint.ts';
import { type Conversation, converse } from './converse.ts';
import { ModelError } from './model-error.ts';

const MAX_TRY_MS = 60_000;
const NUMBERS = { first: 17, second: 25, sum: 42 };

export interface ModelAbilities {
  /** It answers, as a stream, which is how reviews ask. */
  answers: boolean;
  /** It calls tools with the right arguments and goes on with what they return. */
  callsTools: boolean;
  /** Why something doesn't work; null when all does. */
  problem: string | null;
}

export async function tryModel(
  endpoint: ModelEndpoint,
  options: { signal: AbortSignal; onUsage(usage: ModelUsage): void; maxRequestMs?: number },
): Promise<ModelAbilities> {
  const shared = {
    endpoint,
    instructions: 'You are being tried out. Do exactly what you are asked, and nothing else.',
    left: () => Number.POSITIVE_INFINITY,
    maxRequestMs: MAX_TRY_MS,
    ...options,
  };
  const answered = await attempt({
    ...shared,
    question: 'Answer with the word ready.',
    tools: {},
    maxSteps: 1,
  });
  if (answered.problem !== null) return { answers: false, callsTools: false, problem: answered.problem };
  let sum: number | undefined;
  const called = await attempt({
    ...shared,
    question: `Call the tool add with first ${NUMBERS.first} and second ${NUMBERS.second}, then say what it returned.`,
    tools: {
      add: {
        description: 'Adds two numbers.',
        input: z.object({ first: z.number(), second: z.number() }),
        run: async ({ first, second }: { first: number; second: number }) => {
          sum = first + second;
          return String(sum);
        },
      },
    },
    maxSteps: 3,
  });
  const callsTools = called.problem === null && sum === NUMBERS.sum;
  const problem = callsTools
    ? null
    : (called.problem ??
      (sum === undefined
        ? 'It answered in words instead of calling a tool.'
        : 'It called a tool with wrong arguments.'));
  return { answers: true, callsTools, problem };
}

async function attempt(conversation: Conversation): Promise<{ problem: string | null }> {
  try {
    const { calls, text } = await converse(conversation);
    if (text.trim() === '' && calls.length === 0) return { problem: 'The answer was empty.' };
    return { problem: null };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { problem: error.said ? `${error.message} It said: ${error.said}` : error.message };
  }
}
