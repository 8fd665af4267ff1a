/** The MCP server at `/mcp`: stateless, both generations of the protocol; the library is loaded with the first request. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpCall, McpEndpoint } from '../../platform/core/ports/mcp-endpoint.ts';
import { clientNameIn } from './client-name.ts';
import { createCompletions } from './completions.ts';
import { addPrompts } from './prompts.ts';
import { createResources } from './resources/resources.ts';
import { isSubscription, listen, type MakeHandler } from './resources/subscriptions.ts';
import type { McpEndpointServices, McpServices } from './services.ts';
import { createTools } from './tools.ts';

export function createMcpEndpoint<Context>(services: McpEndpointServices<Context>): McpEndpoint<Context> {
  let handlers: Promise<MakeHandler> | undefined;
  let handler: McpHttpHandler | undefined;
  return {
    async handle(request, call) {
      handlers ??= loadLibrary(services);
      const makeHandler = await handlers;
      await noteClient(services, call);
      const authInfo = { token: '', clientId: call.actor.credentialId, scopes: [], extra: { call } };
      if (isSubscription(request)) return listen(request, call, services, makeHandler, authInfo);
      // Subscriptions have handlers of their own; this one keeps no stream open.
      handler ??= makeHandler({ maxSubscriptions: 0 });
      return handler.fetch(request, { authInfo, parsedBody: call.message });
    },
    async close() {
      await handler?.close();
    },
  };
}

/** A request never fails because its agent could not be recorded. */
async function noteClient<Context>(
  services: McpEndpointServices<Context>,
  call: McpCall<Context>,
): Promise<void> {
  const name = clientNameIn(call.message);
  if (name === undefined) return;
  await services
    .noteAgent(call.actor, name)
    .catch((error: unknown) => services.log.warn({ err: error }, 'could not record that an agent connected'));
}

async function loadLibrary<Context>(services: McpServices<Context>): Promise<MakeHandler> {
  const { createMcpHandler, Server } = await import('@modelcontextprotocol/server');
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/server/validators/ajv');
  const serverInfo = { name: 'countersign', title: 'Countersign', version: services.version };
  const options = {
    capabilities: {},
    instructions: readFileSync(join(import.meta.dirname, 'instructions.md'), 'utf8').trim(),
    // Shared by all requests: creating a validator takes longer than most tool calls.
    jsonSchemaValidator: new AjvJsonSchemaValidator(),
  };
  const addTools = createTools(services);
  const addResources = createResources(services);
  const addCompletions = createCompletions(services);
  // Only messages that a client should not have sent; our own failures are logged where they happen.
  const onerror = ({ message }: Error) =>
    services.log.info({ reason: message }, 'an MCP message was refused');
  return (handlerOptions) =>
    createMcpHandler(
      ({ authInfo, era }) => {
        const call = authInfo!.extra!.call as McpCall<Context>;
        const server = new Server(serverInfo, options);
        addTools(server, call);
        addResources(server, call, era);
        addPrompts(server);
        addCompletions(server, call);
        services.extend?.(server);
        return server;
      },
      { ...handlerOptions, onerror },
    );
}
