/** Completes plan ids, from the most recently updated plans, and names of repositories, in prompts and resource URIs. */
import type { Server } from '@modelcontextprotocol/server';
import type { McpCall } from '../../platform/core/ports/mcp-endpoint.ts';
import { protocolFailure } from './protocol-failure.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';

/** The protocol's limit for one reply. */
const MAX_VALUES = 100;
/** The limit of the operation. */
const MAX_SEARCH = 300;

/** Called once; the returned function adds completions to the server of one request. */
export function createCompletions<Context>(services: McpServices<Context>) {
  const { has, runnerOf } = operationsByName(services.operations);

  async function completePlan(call: McpCall<Context>, prefix: string) {
    const page = await runnerOf(call)('list-plans', { limit: MAX_VALUES });
    const values = page.plans
      .map(({ seriesId }) => seriesId)
      .filter((id) => id.startsWith(prefix.trim().toLowerCase()));
    return { completion: { values, hasMore: page.nextCursor !== null } };
  }

  async function completeRepository(call: McpCall<Context>, part: string) {
    const search = part.trim().slice(0, MAX_SEARCH);
    const page = await runnerOf(call)('list-repositories', { limit: MAX_VALUES, search });
    const values = page.repositories.map(({ name }) => name);
    return { completion: { values, hasMore: page.nextCursor !== null } };
  }

  function complete(call: McpCall<Context>, argument: { name: string; value: string }) {
    if (argument.name === 'planId') return completePlan(call, argument.value);
    if (argument.name === 'repository') return completeRepository(call, argument.value);
    return { completion: { values: [] } };
  }

  return (server: Server, call: McpCall<Context>) => {
    if (!has('list-plans', 'list-repositories')) return;
    server.registerCapabilities({ completions: {} });
    server.setRequestHandler('completion/complete', async ({ params: { argument } }) => {
      try {
        return await complete(call, argument);
      } catch (error) {
        throw protocolFailure(error, services, call);
      }
    });
  };
}
