/** The tools of the MCP server. */
import type { AddToServer } from './services.ts';

export const addTools: AddToServer = () => undefined;
