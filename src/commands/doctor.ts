/** `countersign doctor`: checks step by step whether an agent can use a running service, and explains what to do if not. */
import { StartFailure } from '../platform/core/start-failure.ts';
import type { Command } from './command.ts';
import { textOption } from './command.ts';
import { type CheckResult, mcpChecks } from './doctor-checks.ts';
import { explainFailure } from './doctor-failure.ts';
import type { McpPlace } from './doctor-request.ts';
import { printable } from './printable.ts';

const SIGNS: Record<CheckResult['state'], string> = { good: '✓', bad: '✗', skipped: '-' };

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check whether agents can reach a running service and sign in',
  detail:
    'Makes the requests that an agent would make, step by step. The key is never printed. Pass it in COUNTERSIGN_API_KEY\nto hide it from other users of this machine too.',
  options: [
    {
      name: 'mcp',
      value: 'URL',
      required: true,
      meaning: 'The address that your agent is configured with, such as http://127.0.0.1:4000/mcp.',
    },
    { name: 'key', value: 'key', meaning: 'The API key to check (default: COUNTERSIGN_API_KEY).' },
  ],
  example: 'COUNTERSIGN_API_KEY=csk_… countersign doctor --mcp https://countersign.example.com/mcp',
  quiet: true,
  async run(call) {
    const key = textOption(call, 'key') || call.environment.COUNTERSIGN_API_KEY?.trim() || undefined;
    const place = { ...readAddress(textOption(call, 'mcp')), key };
    let failed = 0;
    for (const check of mcpChecks) {
      const result = await check.run(place).catch((error: unknown) => explainFailure(error, place));
      print(`${SIGNS[result.state]} ${check.name}: ${result.detail}`, place);
      if (result.next && result.state === 'bad') print(`    ${result.next}`, place);
      if (result.state === 'bad') failed += 1;
      if (result.state === 'bad' && check === mcpChecks[0]) break;
    }
    if (failed > 0) {
      throw new StartFailure('refused', failed === 1 ? 'one check failed' : `${failed} checks failed`);
    }
    process.stdout.write(key ? 'All checks passed.\n' : 'All checks that need no key passed.\n');
  },
};

/** The given address and the service's base URL: the other checked paths are siblings of `/mcp`. */
function readAddress(text: string): Omit<McpPlace, 'key'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new StartFailure('usage', '--mcp must be a URL that starts with http:// or https://');
  }
  const path = url.pathname.replace(/\/+$/, '');
  const baseUrl = url.origin + path.replace(/\/+mcp$/, '');
  return { baseUrl, mcpUrl: /\/mcp$/.test(path) ? url.origin + url.pathname + url.search : `${baseUrl}/mcp` };
}

/** Replies may contain anything, including the key if a wrong server echoes the request. */
function print(line: string, { key }: McpPlace): void {
  process.stdout.write(`${printable(key ? line.replaceAll(key, '…') : line)}\n`);
}
