/** The prompts of the MCP server. */
import type { AddToServer } from './services.ts';

export const addPrompts: AddToServer = () => undefined;
