/** Installs the real clients into a temporary folder, with homes of their own so that nobody's settings are touched. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, type Surroundings } from './program.ts';
import { CLIENTS } from './versions.ts';

export interface Client {
  /** How it is started; further words follow. */
  command: readonly string[];
  surroundings: Surroundings;
}

/** Without install scripts: both packages start without them, and nothing of a package runs before we start it. */
export async function installClients(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: CLIENTS }));
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
    surroundings: surroundingsIn(home, {
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
  // Else tokens would go into the keyring of whoever runs this.
  writeFileSync(join(settings, 'config.toml'), 'mcp_oauth_credentials_store = "file"\n');
  return {
    command: [process.execPath, join(folder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js')],
    surroundings: surroundingsIn(home, { CODEX_HOME: settings, ...env }),
  };
}

/** Only what is named here: no key, token or setting of whoever runs this reaches a client. */
function surroundingsIn(home: string, env: Record<string, string>): Surroundings {
  const cwd = join(home, 'project');
  mkdirSync(cwd, { recursive: true });
  // The browser that a client opens by itself is one that does nothing: a person of ours opens what it prints.
  return { cwd, env: { HOME: home, PATH: process.env.PATH ?? '', BROWSER: 'true', ...env } };
}

export function runClient({ command, surroundings }: Client, ...words: string[]): Promise<string> {
  return run([...command, ...words], surroundings);
}
