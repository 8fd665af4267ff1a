/** The tested clients, by package and exact version. */
export const CLIENTS = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@openai/codex': '0.166.0',
} as const;
