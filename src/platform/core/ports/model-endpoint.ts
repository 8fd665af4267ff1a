/** A language model that reviews may use: where it is, and how much it may be used. */

/** `openai`: chat completions as OpenAI, llama.cpp, Ollama, vLLM and most gateways have them. `anthropic`: the messages API. */
export const MODEL_FORMATS = ['openai', 'anthropic'] as const;
export type ModelFormat = (typeof MODEL_FORMATS)[number];

export interface ModelEndpoint {
  format: ModelFormat;
  /** Without a trailing slash: what comes before `/chat/completions` or `/messages`. */
  url: string;
  model: string;
  /** Null for servers that need none. */
  key: string | null;
  /** Whether it may be on this machine or on a private network. */
  allowPrivateAddresses: boolean;
}

/** In tokens, of questions and answers together. */
export interface ModelBudgets {
  run: number;
  pullRequest: number;
  month: number;
}

export const DEFAULT_BUDGETS: ModelBudgets = { run: 500_000, pullRequest: 2_000_000, month: 50_000_000 };
export const MAX_BUDGET = 1_000_000_000_000;

export interface ConfiguredModels {
  finding: ModelEndpoint;
  /** Judges what the first one found; null: the first one does, without what was said before. */
  secondLook: ModelEndpoint | null;
  budgets: ModelBudgets;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
}
