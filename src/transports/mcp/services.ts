/** What every part of the MCP server works with. */
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../../platform/core/log.ts';
import type { Operation, OperationSettings } from '../../platform/core/operation.ts';
import type { Tool } from './tool.ts';

export interface McpServices<Context> extends McpFixtures<Context> {
  operations: readonly Operation<Context>[];
  /** What some fields accept depends on them. */
  settings: Pick<OperationSettings, 'agentVendors'>;
  version: string;
  /** Without a slash at the end; known for certain once the service listens. */
  site: { baseUrl: string };
  log: Log;
  /** Whether an error means that the database cannot be reached right now. */
  isOutage(error: unknown): boolean;
}

/** What tests of the protocol itself need besides. */
export interface McpFixtures<Context> {
  extraTools?: readonly Tool<Context>[];
  /** Adds what else they need to the server that answers one request. */
  extend?(server: Server): void;
}
