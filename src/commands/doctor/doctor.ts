/** `countersign doctor`: checks the service on this machine, or step by step whether an agent can use it, and explains what to do if not. */
import { type CheckResult, hostChecks, runCheck } from '../../features/system/index.ts';
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Db, readRunningService } from '../../platform/db/index.ts';
import { type Call, type Command, textOption } from '../command.ts';
import { withDatabase } from '../serve/open-database.ts';
import { printable } from '../terminal/printable.ts';
import { mcpChecks } from './doctor-checks.ts';
import { explainFailure } from './doctor-failure.ts';
import type { McpPlace } from './doctor-request.ts';

const SIGNS: Record<CheckResult['state'], string> = { good: '✓', bad: '✗', skipped: '-' };

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the service on this machine, or whether agents can reach it',
  detail:
    'Run it with the settings of the service: it checks the database, the clock, the disk, permissions, programs,\nthe address, the queue, code hosts, webhooks, single sign-on, the model, mail and backups, and says what to do.\nWith --mcp, it makes the requests that an agent would make. The key is never printed. Pass it in\nCOUNTERSIGN_API_KEY to hide it from other users of this machine too.',
  options: [
    {
      name: 'mcp',
      value: 'URL',
      meaning:
        'Check instead whether agents can reach this address and sign in, such as http://127.0.0.1:4000/mcp.',
    },
    { name: 'key', value: 'key', meaning: 'The API key to check (default: COUNTERSIGN_API_KEY).' },
  ],
  example: 'COUNTERSIGN_API_KEY=csk_… countersign doctor --mcp https://countersign.example.com/mcp',
  quiet: true,
  async run(call) {
    if (call.options.mcp === undefined) return checkMachine(call);
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

/** Every check runs, whatever the others find; without a database, those that need it are skipped. */
async function checkMachine(call: Call): Promise<void> {
  let failed = 0;
  const runAll = async (db: Db | undefined, noDatabase?: string) => {
    const { config, environment } = call;
    const baseUrl = await addressOf(config);
    const host = { settings: config, baseUrl, db, noDatabase, searchPath: environment.PATH ?? '' };
    for (const check of hostChecks) {
      const result = await runCheck(check, host);
      process.stdout.write(`${printable(`${SIGNS[result.state]} ${check.name}: ${result.detail}`)}\n`);
      if (result.next && result.state === 'bad') process.stdout.write(`    ${printable(result.next)}\n`);
      if (result.state === 'bad') failed += 1;
    }
  };
  let opened = false;
  try {
    await withDatabase(call, (db) => {
      opened = true;
      return runAll(db);
    });
  } catch (error) {
    if (opened || !(error instanceof StartFailure)) throw error;
    await runAll(undefined, error.message);
  }
  if (failed > 0)
    throw new StartFailure('refused', failed === 1 ? 'one check failed' : `${failed} checks failed`);
  process.stdout.write('All checks passed.\n');
}

const ADDRESS_WITHIN_MS = 3_000;

/** With PORT=0, the running service knows which port it got. */
async function addressOf({ baseUrl, dataDir }: Call['config']): Promise<string> {
  if (!baseUrl.endsWith(':0')) return baseUrl;
  // On a full disk, it could not write its address down.
  const running = await readRunningService(dataDir, { waitMs: ADDRESS_WITHIN_MS }).catch(() => undefined);
  return running?.address ?? baseUrl;
}

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
