/** What every part of the MCP server works with. */
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../core/log.ts';
import type { McpCall } from '../core/mcp-endpoint.ts';
import type { Operation } from '../core/operation.ts';

export interface McpServices<Context> {
  operations: readonly Operation<Context>[];
  version: string;
  /** Without a slash at the end; known for certain once the service listens. */
  site: { baseUrl: string };
  log: Log;
}

/** Adds what one part of the protocol needs to the server that answers one request. */
export type AddToServer = <Context>(
  server: Server,
  services: McpServices<Context>,
  call: McpCall<Context>,
) => void;
