/** The clients that are accepted, by package and exact version: change them here and nowhere else. */
export const CLIENTS = {
  '@anthropic-ai/claude-code': '2.1.325',
  '@openai/codex': '0.166.0',
} as const;
