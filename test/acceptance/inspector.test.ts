/** The official inspector on the command line, as a real process: it reports no problems with our tools. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mcpProgram } from '../../scripts/acceptance/mcp-programs.ts';
import { cleanUp, temporaryFolder } from '../helpers/processes/real-processes.ts';
import { postPlan } from '../helpers/rows/plans.ts';
import { startTestService } from '../helpers/service/harness.ts';

const INSPECTOR = mcpProgram('@modelcontextprotocol/inspector');

const service = await startTestService();
afterAll(cleanUp);

/** Runs it with its own home folder, where it stores its settings. */
async function inspect(words: string[], key = service.acme.member.key) {
  const program = join(INSPECTOR, 'clients', 'launcher', 'build', 'index.js');
  const all = [
    '--cli',
    `${service.url}/mcp`,
    '--transport',
    'http',
    '--header',
    `x-api-key: ${key}`,
    ...words,
  ];
  const inspector = spawn(process.execPath, [program, ...all], {
    env: { PATH: process.env.PATH, HOME: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  inspector.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  inspector.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((ended, failed) => inspector.on('close', ended).on('error', failed));
  return { code, stdout, stderr };
}

describe('mcp-inspector --cli', () => {
  it('lists tools whose schemas every client can use (--strict)', async () => {
    const { code, stderr, stdout } = await inspect(['--method', 'tools/list', '--strict']);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toContain('update_plan');
  });

  it('calls a tool and reads a resource', async () => {
    const { body: plan } = await postPlan(service, service.acme.member);
    const [called, read] = await Promise.all([
      inspect(['--method', 'tools/call', '--tool-name', 'get_plan', '--tool-arg', `planId=${plan.seriesId}`]),
      inspect(['--method', 'resources/read', '--uri', `countersign://plans/${plan.seriesId}`]),
    ]);
    expect(called.code, called.stderr).toBe(0);
    expect(JSON.parse(called.stdout).structuredContent).toMatchObject({ status: 'pending' });
    expect(read.code, read.stderr).toBe(0);
    expect(JSON.parse(read.stdout).contents[0].text).toContain('Speed up the export');
  });

  it('fails with a key that is not valid', async () => {
    const { code } = await inspect(['--method', 'tools/list'], 'csk_wrong');
    expect(code).not.toBe(0);
  });
});
