/** The dependencies of the MCP server. */
import type { Server } from '@modelcontextprotocol/server';
import type { Operation, VendorSettings } from '../../platform/core/operations/operation.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Tool } from './tool.ts';

export interface McpServices<Context> extends McpFixtures<Context> {
  operations: readonly Operation<Context>[];
  /** Some fields accept only values from these settings. */
  settings: VendorSettings;
  version: string;
  /** Without a trailing slash; final once the service listens. */
  site: { baseUrl: string };
  log: Log;
  /** Whether an error means that the database cannot be reached right now. */
  isOutage(error: unknown): boolean;
}

/** Additions for protocol tests. */
export interface McpFixtures<Context> {
  extraTools?: readonly Tool<Context>[];
  /** Extends the server of one request. */
  extend?(server: Server): void;
}

export interface McpEndpointServices<Context> extends McpServices<Context> {
  /** Records that a person's agent has connected. */
  noteAgent(person: { organizationId: string; userId: string }, clientName: string): Promise<void>;
}
