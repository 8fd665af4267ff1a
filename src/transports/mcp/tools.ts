/** The MCP server's tools: each file in `tools/` exports one. */
import type { Tool as ListedTool, Server } from '@modelcontextprotocol/server';
import type { McpCall } from '../../platform/core/ports/mcp-endpoint.ts';
import { currentWork } from '../../platform/core/work/work.ts';
import { mountTool } from './mount-tool.ts';
import { invalidParams } from './protocol-failure.ts';
import type { McpServices } from './services.ts';
import type { Tool } from './tool.ts';
import { TOOLS } from './tool-files.ts';

/** The tools whose operations are available. */
export function mountTools<Context>(services: McpServices<Context>): readonly Tool<Context>[] {
  const mounted = TOOLS.flatMap((definition) => mountTool(definition, services) ?? []);
  return [...mounted, ...(services.extraTools ?? [])];
}

export function listedTools<Context>(tools: readonly Tool<Context>[]): ListedTool[] {
  return tools.filter(({ unlisted }) => !unlisted).map(({ listed }) => listed);
}

/** Called once; the returned function adds the tools to the server of one request. */
export function createTools<Context>(
  services: McpServices<Context>,
): (server: Server, call: McpCall<Context>) => void {
  const tools = mountTools(services);
  const byName = new Map(
    tools.flatMap((tool) => [tool.listed.name, ...(tool.formerNames ?? [])].map((name) => [name, tool])),
  );
  const list = { tools: listedTools(tools) };
  return (server, call) => {
    server.registerCapabilities({ tools: {} });
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }, protocol) => {
      const tool = byName.get(params.name);
      if (!tool) {
        throw invalidParams(`Unknown tool. Call tools/list for the names of all ${list.tools.length} tools.`);
      }
      const work = currentWork();
      if (work) work.tool = tool.listed.name;
      return tool.call(params.arguments ?? {}, { call, server, protocol });
    });
  };
}
