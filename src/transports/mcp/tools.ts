/** The tools of the MCP server: the table, one line each. */
import type { Server } from '@modelcontextprotocol/server';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import { mountTool } from './mount-tool.ts';
import { invalidParams } from './protocol-failure.ts';
import type { McpServices } from './services.ts';
import type { Tool, ToolDefinition } from './tool.ts';
import { getPlan } from './tools/get-plan.ts';
import { getPlanComments } from './tools/get-plan-comments.ts';
import { linkPlanToPr } from './tools/link-plan-to-pr.ts';
import { recordSessionEvent } from './tools/record-session-event.ts';
import { remoteFileSearch } from './tools/remote-file-search.ts';
import { remoteGrep } from './tools/remote-grep.ts';
import { remoteReadFile } from './tools/remote-read-file.ts';
import { respondToPlanComment } from './tools/respond-to-plan-comment.ts';
import { updatePlan } from './tools/update-plan.ts';
import { waitForPlanReview } from './tools/wait-for-plan-review.ts';

const TOOLS: readonly ToolDefinition[] = [
  remoteFileSearch,
  remoteGrep,
  remoteReadFile,
  updatePlan,
  getPlan,
  waitForPlanReview,
  getPlanComments,
  respondToPlanComment,
  linkPlanToPr,
  recordSessionEvent,
];

/** The tools whose operations are in the table. */
export function mountTools<Context>(services: McpServices<Context>): readonly Tool<Context>[] {
  const mounted = TOOLS.flatMap((definition) => mountTool(definition, services) ?? []);
  return [...mounted, ...(services.extraTools ?? [])];
}

/** Made once; what it gives adds the tools to the server that answers one request. */
export function createTools<Context>(
  services: McpServices<Context>,
): (server: Server, call: McpCall<Context>) => void {
  const tools = mountTools(services);
  const byName = new Map(tools.map((tool) => [tool.listed.name, tool]));
  const list = { tools: tools.map(({ listed }) => listed) };
  return (server, call) => {
    server.registerCapabilities({ tools: {} });
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }, protocol) => {
      const tool = byName.get(params.name);
      if (!tool) {
        throw invalidParams(`There is no tool of this name; tools/list names all ${tools.length}.`);
      }
      return tool.call(params.arguments ?? {}, { call, server, protocol });
    });
  };
}
