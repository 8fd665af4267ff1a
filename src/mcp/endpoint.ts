/** The MCP server at `/mcp`: stateless, both generations of the protocol; the library is loaded with the first request. */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { McpCall, McpEndpoint } from '../core/mcp-endpoint.ts';
import { addPrompts } from './prompts.ts';
import { addResources } from './resources.ts';
import type { McpServices } from './services.ts';
import { addTools } from './tools.ts';

export function createMcpEndpoint<Context>(services: McpServices<Context>): McpEndpoint<Context> {
  let handler: Promise<McpHttpHandler> | undefined;
  return {
    async handle(request, call) {
      handler ??= createHandler(services);
      const authInfo = { token: '', clientId: call.actor.credentialId, scopes: [], extra: { call } };
      return (await handler).fetch(request, { authInfo });
    },
    async close() {
      await (await handler)?.close();
    },
  };
}

async function createHandler<Context>(services: McpServices<Context>): Promise<McpHttpHandler> {
  const { createMcpHandler, Server } = await import('@modelcontextprotocol/server');
  return createMcpHandler(
    ({ authInfo }) => {
      const call = authInfo!.extra!.call as McpCall<Context>;
      const server = new Server(
        { name: 'countersign', title: 'Countersign', version: services.version },
        { capabilities: {} },
      );
      for (const add of [addTools, addResources, addPrompts]) add(server, services, call);
      return server;
    },
    { onerror: (error) => services.log.warn({ err: error }, 'an MCP request failed') },
  );
}
