/** `npm run acceptance:agents`: the real Claude Code and Codex with a temporary service and a scripted model. Needs no account. */
import { join } from 'node:path';
import { endProcesses, PASSWORD } from '../test/helpers/processes/countersign-process.ts';
import { cleanUp, temporaryFolder } from '../test/helpers/processes/real-processes.ts';
import { testClaudeCode } from './acceptance/claude-code.ts';
import { claudeCode, codex, installPackages, runClient } from './acceptance/clients.ts';
import { testCodex } from './acceptance/codex.ts';
import { createDeployment, EMAIL } from './acceptance/deployment.ts';
import { Person } from './acceptance/person.ts';
import { Steps } from './acceptance/steps.ts';
import { CLIENTS } from './acceptance/versions.ts';

const print = (line: string) => process.stderr.write(`${line}\n`);
const steps = new Steps(print);

try {
  const folder = temporaryFolder();
  const folders = { clients: join(folder, 'clients'), home: join(folder, 'home') };
  print(
    `installing ${Object.entries(CLIENTS)
      .map((pair) => pair.join('@'))
      .join(', ')} …`,
  );
  await installPackages(folders.clients, CLIENTS);
  const deployment = await createDeployment();
  const person = await Person.withBrowser(EMAIL, PASSWORD, print);
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
      const report = await deployment.doctor();
      return report.split('\n').at(-1)!;
    });
    await testClaudeCode(steps, deployment, person, folders);
    await testCodex(steps, deployment, person, folders);
  } finally {
    await person.close();
    await deployment.stop();
  }
} finally {
  await endProcesses();
  await cleanUp();
}
process.stdout.write(`\n${steps.table()}\n`);
if (!steps.passed) process.exitCode = 1;
