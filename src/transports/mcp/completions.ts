/** Completes the id of a plan in prompts and in addresses of resources, from the plans that changed last. */
import type { Server } from '@modelcontextprotocol/server';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import { protocolFailure } from './protocol-failure.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';

/** The protocol has no more than so many values in one reply. */
const MAX_VALUES = 100;

/** Made once; what it gives adds completion to the server that answers one request. */
export function createCompletions<Context>(services: McpServices<Context>) {
  const { has, runnerOf } = operationsByName(services.operations);

  async function complete(call: McpCall<Context>, begun: string) {
    const page = await runnerOf(call)('list-plans', { limit: MAX_VALUES });
    const values = page.plans
      .map(({ seriesId }) => seriesId)
      .filter((id) => id.startsWith(begun.trim().toLowerCase()));
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
