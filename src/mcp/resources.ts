/** The resources of the MCP server. */
import type { AddToServer } from './services.ts';

export const addResources: AddToServer = () => undefined;
