/** The MCP project's own programs that test servers, by package and exact version, and where they are installed. */
import { join } from 'node:path';

export const MCP_PROGRAMS = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
} as const;

/** A cache: it stays until the next `npm ci`. */
export const MCP_PROGRAMS_FOLDER = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'mcp-programs',
);

export function mcpProgram(name: keyof typeof MCP_PROGRAMS): string {
  return join(MCP_PROGRAMS_FOLDER, 'node_modules', name);
}
