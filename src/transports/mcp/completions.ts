/** Completes plan ids in prompts and resource URIs, from the most recently updated plans. */
import type { Server } from '@modelcontextprotocol/server';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import { protocolFailure } from './protocol-failure.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';

/** The protocol's limit for one reply. */
const MAX_VALUES = 100;

/** Called once; the returned function adds completions to the server of one request. */
export function createCompletions<Context>(services: McpServices<Context>) {
  const { has, runnerOf } = operationsByName(services.operations);

  async function complete(call: McpCall<Context>, prefix: string) {
    const page = await runnerOf(call)('list-plans', { limit: MAX_VALUES });
    const values = page.plans
      .map(({ seriesId }) => seriesId)
      .filter((id) => id.startsWith(prefix.trim().toLowerCase()));
    return { completion: { values, hasMore: page.nextCursor !== null } };
  }

  return (server: Server, call: McpCall<Context>) => {
    if (!has('list-plans')) return;
    server.registerCapabilities({ completions: {} });
    server.setRequestHandler('completion/complete', ({ params: { argument } }) => {
      if (argument.name !== 'planId') return { completion: { values: [] } };
      return complete(call, argument.value).catch((error: unknown) => {
        throw protocolFailure(error, services, call);
      });
    });
  };
}
