/** Runs the API contract tests against a running server: `npm run test:contract -- --url http://localhost:4000 --key csk_…`. */
import { parseArgs } from 'node:util';
import { loadCases } from './contract.ts';
import { Server } from './server.ts';

const USAGE = `Holds a running server to the contract of its API.

  npm run test:contract -- --url http://localhost:4000 --key csk_…

  --url   where the server is reached
  --key   an API key of a member, admin or owner; events are recorded under it, so use a test organization
  --repository   the full name of a repository that is ready, for the cases that search code; they are left out without
  --branch   a branch of that repository whose pull request has discussions, default main
  --only   one file of cases, such as session-events

Prints a line for each case and ends with "N passed, N failed". The exit code is 0 when none failed, 1 when some
did, 2 when the command line is wrong.
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = readOptions();
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${USAGE}`);
    return 2;
  }
  const server = new Server(options.url, options.key, options.repository, options.branch);
  let passed = 0;
  let failed = 0;
  for (const { file, cases } of await loadCases(options.repository, options.only)) {
    for (const { name, run } of cases) {
      try {
        await run(server);
        passed += 1;
        process.stdout.write(`ok      ${file}: ${name}\n`);
      } catch (error) {
        failed += 1;
        process.stdout.write(`FAILED  ${file}: ${name}\n        ${reasonOf(error)}\n`);
      }
    }
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

interface Options {
  url: string;
  key: string;
  repository?: string;
  branch?: string;
  only?: string;
}

function readOptions(): Options | string {
  let given: Partial<Options>;
  try {
    given = parseArgs({
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        repository: { type: 'string' },
        branch: { type: 'string' },
        only: { type: 'string' },
      },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const { key, url, ...rest } = given;
  if (!url || !key) return `${url ? '--key' : '--url'} is missing.`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return '--url must be an http or https address.';
  return { url, key, ...rest };
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error };
  return `${message}${cause ? ` (${cause.message})` : ''}`.replaceAll('\n', '\n        ');
}
