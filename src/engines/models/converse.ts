/**
 * One conversation with a model: instructions, a question, and tools that it may call. What it says apart from tool calls is
 * only returned, never acted on. Libraries are loaded when the first model is used.
 */
import type { ToolSet } from 'ai';
import type { z } from 'zod';
import type { ModelEndpoint, ModelUsage } from '../../platform/core/ports/model-endpoint.ts';
import { createGuardedFetch, type Exchange } from './guarded-fetch.ts';
import { ModelError } from './model-error.ts';

/** Per answer. */
const MAX_OUTPUT_TOKENS = 4096;
/** Roughly, for servers that don't say what a request used. */
const BYTES_PER_TOKEN = 4;
const MAX_SAID_CHARACTERS = 300;
const MAX_RETRIES = 2;

export interface ModelTool {
  description: string;
  input: z.ZodType;
  /** The answer that the model gets; it may be a refusal. */
  run(input: never): Promise<string>;
}

export interface Conversation {
  endpoint: ModelEndpoint;
  instructions: string;
  question: string;
  tools: Record<string, ModelTool>;
  /** Answers of the model; each can call several tools. */
  maxSteps: number;
  /** Tokens that are left; asked before every request. */
  left(): number;
  /** Told after every request. */
  onUsage(usage: ModelUsage): void;
  /** Whether enough was said. */
  isDone?(): boolean;
  signal: AbortSignal;
  maxRequestMs?: number;
}

export interface Conversed {
  text: string;
  steps: number;
  ended: 'answered' | 'step_limit' | 'budget';
  /** Names of the tools in the order of their calls, also of those that don't exist. */
  calls: string[];
}

/** Throws a `ModelError`. */
export async function converse(conversation: Conversation): Promise<Conversed> {
  const { instructions, left, maxSteps, onUsage, question, signal } = conversation;
  const estimate = tokensOf(Buffer.byteLength(instructions) + Buffer.byteLength(question));
  if (estimate > left()) return { text: '', steps: 0, ended: 'budget', calls: [] };
  const open: Exchange[] = [];
  const { isStepCount, model, streamText, tool } = await openModel(conversation, open);
  const tools: ToolSet = {};
  for (const [name, each] of Object.entries(conversation.tools)) {
    tools[name] = tool({
      description: each.description,
      inputSchema: each.input,
      execute: (input) => each.run(input as never),
    });
  }
  let ended: Conversed['ended'] = 'answered';
  let lastInput = estimate;
  const account = (usage: ModelUsage) => {
    open.length = 0;
    lastInput = usage.inputTokens;
    onUsage(usage);
  };
  try {
    const result = streamText({
      model,
      instructions,
      prompt: question,
      tools,
      // Findings are checked one after the other, so that a second one sees that the first was taken.
      toolCallConcurrency: 1,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: MAX_RETRIES,
      abortSignal: signal,
      onError: () => undefined,
      onStepEnd: ({ usage }) => {
        const { inputTokens, outputTokens } = usage;
        account(
          inputTokens === undefined || outputTokens === undefined
            ? estimated(open)
            : { inputTokens, outputTokens },
        );
      },
      stopWhen: [
        isStepCount(maxSteps),
        () => conversation.isDone?.() ?? false,
        // The next question contains this one.
        () => lastInput > left(),
      ],
    });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') signal.throwIfAborted();
    }
    const steps = await result.steps;
    const last = steps.at(-1);
    if (last?.finishReason === 'tool-calls') {
      ended = conversation.isDone?.() ? 'answered' : steps.length >= maxSteps ? 'step_limit' : 'budget';
    }
    return {
      text: steps.map(({ text }) => text).join('\n'),
      steps: steps.length,
      ended,
      calls: steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName)),
    };
  } catch (error) {
    signal.throwIfAborted();
    throw await asModelError(error, conversation.endpoint);
  } finally {
    // A question that was not answered to the end costs tokens too.
    if (open.length > 0) account(estimated(open));
  }
}

async function openModel({ endpoint, maxRequestMs }: Conversation, open: Exchange[]) {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
  const [library, anthropic, openai] = await Promise.all([
    import('ai'),
    import('@ai-sdk/anthropic'),
    import('@ai-sdk/openai-compatible'),
  ]);
  const fetch = createGuardedFetch({
    endpoint,
    onExchange: (exchange) => open.push(exchange),
    ...(maxRequestMs !== undefined && { maxRequestMs }),
  });
  const { format, key, url: baseURL } = endpoint;
  const model =
    format === 'anthropic'
      ? anthropic.createAnthropic({ baseURL, apiKey: key ?? 'none', fetch }).languageModel(endpoint.model)
      : openai
          .createOpenAICompatible({
            name: 'model',
            baseURL,
            includeUsage: true,
            fetch,
            ...(key !== null && { apiKey: key }),
          })
          .languageModel(endpoint.model);
  return { ...library, model };
}

function estimated(exchanges: Exchange[]): ModelUsage {
  const sum = (pick: (exchange: Exchange) => number) =>
    tokensOf(exchanges.reduce((total, each) => total + pick(each), 0));
  return {
    inputTokens: sum(({ sentBytes }) => sentBytes),
    outputTokens: sum(({ receivedBytes }) => receivedBytes),
  };
}

function tokensOf(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

async function asModelError(error: unknown, { key }: ModelEndpoint): Promise<ModelError> {
  const { APICallError, RetryError } = await import('ai');
  const last = RetryError.isInstance(error) ? error.lastError : error;
  for (let each: unknown = last; each instanceof Error; each = each.cause) {
    if (each instanceof ModelError) return each;
  }
  if (!APICallError.isInstance(last) || last.statusCode === undefined || last.statusCode < 300) {
    return new ModelError('unexpected_reply', "The model's reply can't be read.", { cause: error });
  }
  const status = last.statusCode;
  const details = { said: oneLine(last.message, key), cause: error };
  if (status === 401 || status === 403)
    return new ModelError('unauthorized', `The model's server refused the key (${status}).`, details);
  if (status === 429 || status === 402)
    return new ModelError('rate_limited', `The model's server allows no more requests (${status}).`, details);
  if (status >= 500)
    return new ModelError('unavailable', `The model's server had an error (${status}).`, details);
  if (status < 400)
    return new ModelError('refused', `The model's server redirects elsewhere (${status}).`, details);
  return new ModelError('refused', `The model's server refused the request (${status}).`, details);
}

function oneLine(text: string, key: string | null): string {
  return (key ? text.replaceAll(key, '[key]') : text)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_SAID_CHARACTERS)
    .toWellFormed();
}
