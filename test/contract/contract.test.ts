/** Our own server, held to the contract by the same cases that any other server can be held to, and by the command. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addRepository } from '../code.ts';
import { startTestService } from '../harness.ts';
import { loadCases } from './contract.ts';
import { Server } from './server.ts';

const service = await startTestService({
  settings: { RATE_LIMIT: 'on', ALLOW_LOCAL_REPOSITORIES: 'true' },
});
const { fullName } = await addRepository(service, {
  'README.md': '# Words\n\nfirst\nsecond\n',
  'src/one.ts': 'export const one = 1;\n',
  'src/deep/two.ts': 'export const two = 2;\n',
});
const server = new Server(service.url, service.acme.member.key, fullName);
const files = await loadCases(fullName);

describe.each(files)('$file', ({ cases }) => {
  it.each(cases)('$name', async ({ run }) => {
    expect(await run(server)).toBeUndefined();
  });
});

describe('the command', () => {
  const run = (...options: string[]) =>
    new Promise<{ code: number; output: string; errors: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [join(import.meta.dirname, 'run.ts'), ...options],
        { maxBuffer: 10_000_000 },
        (_error, output, errors) => resolve({ code: child.exitCode ?? -1, output, errors }),
      );
    });
  const count = files.reduce((sum, { cases }) => sum + cases.length, 0);

  it('ends with the count and 0 when every case passed', async () => {
    const given = ['--url', `${service.url}/`, '--key', service.acme.member.key, '--repository', fullName];
    const { code, output } = await run(...given);
    expect(output.trimEnd().split('\n').at(-1)).toBe(`${count} passed, 0 failed`);
    expect(output.trimEnd().split('\n')).toHaveLength(count + 1);
    expect(code).toBe(0);
  });

  it('ends with the count and 1 when some failed, and says which and why', async () => {
    const given = ['--url', service.url, '--key', service.acme.viewer.key, '--repository', fullName];
    const { code, output } = await run(...given);
    const last = /^(\d+) passed, (\d+) failed$/.exec(output.trimEnd().split('\n').at(-1)!)!;
    expect(Number(last[1]) + Number(last[2])).toBe(count);
    expect(Number(last[2])).toBeGreaterThan(0);
    expect(output).toMatch(/^FAILED {2}session-events: .*\n {8}status 403 instead of 204/m);
    expect(code).toBe(1);
  });

  it('ends with 1 when nobody answers at the address, and leaves out what needs a repository', async () => {
    const { code, output } = await run('--url', 'http://127.0.0.1:1', '--key', 'csk_x');
    const without = (await loadCases()).reduce((sum, { cases }) => sum + cases.length, 0);
    expect(without).toBeLessThan(count);
    expect(output.trimEnd().split('\n').at(-1)).toBe(`0 passed, ${without} failed`);
    expect(code).toBe(1);
  });

  it.each([
    [[], '--url is missing.'],
    [['--url', 'http://localhost'], '--key is missing.'],
    [['--url', 'localhost:4000', '--key', 'x'], '--url must be an http or https address.'],
    [['--frob'], "Unknown option '--frob'"],
  ])('explains itself when the command line is wrong: %j', async (options, message) => {
    const { code, output, errors } = await run(...options);
    expect(errors).toContain(message);
    expect(errors).toContain('npm run test:contract -- --url http://localhost:4000 --key csk_');
    expect(output).toBe('');
    expect(code).toBe(2);
  });
});
