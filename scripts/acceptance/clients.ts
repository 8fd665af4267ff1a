/** Installs the real clients into a temporary folder, with separate home folders so that your own settings stay untouched. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessOptions, run } from './program.ts';

export interface Client {
  /** The command line that starts it, without arguments. */
  command: readonly string[];
  processOptions: ProcessOptions;
}

/** Without install scripts: all packages here work without them. */
export async function installPackages(folder: string, dependencies: Record<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== undefined));
  await run(['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: env as Record<string, string>,
  });
}

export function claudeCode(folder: string, home: string, env: Record<string, string> = {}): Client {
  const wrapper = join(folder, 'node_modules', '@anthropic-ai', 'claude-code', 'cli-wrapper.cjs');
  return {
    command: [process.execPath, wrapper],
    processOptions: processOptionsIn(home, {
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...env,
    }),
  };
}

export function codex(folder: string, home: string, env: Record<string, string> = {}): Client {
  const settings = join(home, '.codex');
  mkdirSync(settings, { recursive: true });
  // The default store is the keyring of the user who runs this script.
  writeFileSync(join(settings, 'config.toml'), 'mcp_oauth_credentials_store = "file"\n');
  return {
    command: [process.execPath, join(folder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js')],
    processOptions: processOptionsIn(home, { CODEX_HOME: settings, ...env }),
  };
}

/** An environment of its own: no key, token or setting of the user who runs this script reaches a client. */
function processOptionsIn(home: string, env: Record<string, string>): ProcessOptions {
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  // `true` as the browser does nothing: `Person` opens the printed address instead.
  return { cwd, env: { HOME: home, PATH: process.env.PATH ?? '', BROWSER: 'true', ...env } };
}

export function runClient({ command, processOptions }: Client, ...args: string[]): Promise<string> {
  return run([...command, ...args], processOptions);
}
