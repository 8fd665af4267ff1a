/** `countersign doctor`: checks step by step whether an agent can use a running service, and says what to do if not. */
import { readEnvironment } from '../config.ts';
import { StartFailure } from '../platform/core/start-failure.ts';
import type { Command } from './command.ts';
import { textOption } from './command.ts';
import { type CheckResult, mcpChecks } from './doctor-checks.ts';
import type { McpPlace } from './doctor-request.ts';
import { printable } from './printable.ts';

const SIGNS: Record<CheckResult['state'], string> = { good: '✓', bad: '✗', skipped: '-' };

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check whether agents can reach a running service and sign in',
  detail:
    'Asks the service as an agent would, one thing after the other. The key is never printed; in COUNTERSIGN_API_KEY\nother people of this machine do not see it either.',
  options: [
    {
      name: 'mcp',
      value: 'URL',
      required: true,
      meaning: 'Where the service is, such as http://127.0.0.1:4000/mcp.',
    },
    { name: 'key', value: 'key', meaning: 'The API key to check; COUNTERSIGN_API_KEY unless told.' },
  ],
  example: 'COUNTERSIGN_API_KEY=csk_… countersign doctor --mcp https://countersign.example.com/mcp',
  quiet: true,
  async run(call) {
    const key = textOption(call, 'key') || readEnvironment().COUNTERSIGN_API_KEY?.trim() || undefined;
    const place = { baseUrl: readAddress(textOption(call, 'mcp')), key };
    let failed = 0;
    for (const check of mcpChecks) {
      const result = await check.run(place).catch((error: unknown) => failureOf(error));
      print(`${SIGNS[result.state]} ${check.name}: ${result.detail}`, place);
      if (result.next && result.state === 'bad') print(`    ${result.next}`, place);
      if (result.state === 'bad') failed += 1;
      if (result.state === 'bad' && check === mcpChecks[0]) break;
    }
    if (failed > 0) {
      throw new StartFailure('refused', failed === 1 ? 'one check failed' : `${failed} checks failed`);
    }
    process.stdout.write(key ? 'All is well.\n' : 'All is well, as far as that can be seen without a key.\n');
  },
};

/** Without the path, since everything else that is checked lies beside `/mcp`. */
function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new StartFailure('usage', '--mcp must be an address that begins with http:// or https://');
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/mcp$/, '');
}

/** Replies may hold anything, the key too when a wrong server sends back what it got. */
function print(line: string, { key }: McpPlace): void {
  process.stdout.write(`${printable(key ? line.replaceAll(key, '…') : line)}\n`);
}

function failureOf(error: unknown): CheckResult {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return { state: 'bad', detail: 'no answer within 10 s' };
  }
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined;
  return {
    state: 'bad',
    detail: reason || (message.length < 300 ? message : 'the reply is not as expected'),
  };
}
