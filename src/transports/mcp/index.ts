/** The public interface of the MCP server. */
export { createMcpEndpoint } from './endpoint.ts';
export type { McpFixtures } from './services.ts';
