/** The official conformance suite as a real process, and what it found. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { mcpProgram } from '../../scripts/acceptance/mcp-programs.ts';
import { temporaryFolder } from '../helpers/processes/real-processes.ts';

export const SUITE = mcpProgram('@modelcontextprotocol/conformance');

export interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

export interface SuiteRun {
  process: ChildProcessByStdio<null, Readable, null>;
  /** By scenario, once it has ended. */
  checks: Promise<Map<string, Check[]>>;
}

export function startSuite(words: string[]): SuiteRun {
  const folder = temporaryFolder();
  const suite = spawn(process.execPath, [join(SUITE, 'dist', 'index.js'), ...words, '-o', folder], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve, reject) => suite.on('close', resolve).on('error', reject));
  suite.stdout.resume();
  return { process: suite, checks: ended.then(() => readChecks(folder)) };
}

function readChecks(folder: string): Map<string, Check[]> {
  return new Map(
    readdirSync(folder).map((name) => [
      name.replace(/^(?:authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  );
}
