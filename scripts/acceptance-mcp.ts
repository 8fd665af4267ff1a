/** `npm run acceptance:mcp`: the MCP project's conformance suite and inspector against a temporary service. */
import { spawnSync } from 'node:child_process';
import { installPackages } from './acceptance/clients.ts';
import { MCP_PROGRAMS, MCP_PROGRAMS_FOLDER } from './acceptance/mcp-programs.ts';

await installPackages(MCP_PROGRAMS_FOLDER, MCP_PROGRAMS);
const { status } = spawnSync('vitest', ['run', '--config', 'test/acceptance/vitest.config.ts'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
