/** `npm run acceptance:agents`: the real Claude Code and Codex against a service of its own. No model and no account are needed. */
import { join } from 'node:path';
import { endProcesses, PASSWORD } from '../test/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../test/real-processes.ts';
import { tryClaudeCode } from './acceptance/claude-code.ts';
import { claudeCode, codex, installClients, runClient } from './acceptance/clients.ts';
import { tryCodex } from './acceptance/codex.ts';
import { Person } from './acceptance/person.ts';
import { EMAIL, makePlace } from './acceptance/place.ts';
import { Steps } from './acceptance/steps.ts';
import { CLIENTS } from './acceptance/versions.ts';

const tell = (line: string) => process.stderr.write(`${line}\n`);
const steps = new Steps(tell);

try {
  const folder = temporaryFolder();
  const folders = { clients: join(folder, 'clients'), home: join(folder, 'home') };
  tell(
    `installing ${Object.entries(CLIENTS)
      .map((pair) => pair.join('@'))
      .join(', ')} …`,
  );
  await installClients(folders.clients);
  const place = await makePlace();
  const person = await Person.inFrontOfBrowser(EMAIL, PASSWORD, tell);
  try {
    for (const [name, client] of [
      ['Claude Code', claudeCode],
      ['Codex', codex],
    ] as const) {
      await steps.try(
        name,
        'starts',
        async () =>
          (await runClient(client(folders.clients, join(folders.home, 'version')), '--version'))
            .trim()
            .split('\n')
            .at(-1)!,
      );
    }
    await steps.try('countersign', 'doctor --mcp with a key', async () => {
      const report = await place.doctor();
      return report.split('\n').at(-1)!;
    });
    await tryClaudeCode(steps, place, person, folders);
    await tryCodex(steps, place, person, folders);
  } finally {
    await person.close();
    await place.stop();
  }
} finally {
  await endProcesses();
  await cleanUp();
}
process.stdout.write(`\n${steps.table()}\n`);
if (!steps.passed) process.exitCode = 1;
