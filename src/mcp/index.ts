/** The door of the MCP server. */
export { createMcpEndpoint } from './endpoint.ts';
