/** The coding agents that can be on this machine, and how to connect and disconnect each. */
import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../config.ts';

interface AgentProgram {
  title: string;
  /** The program to run; its presence on PATH means that the agent is installed. */
  program: string;
  /** Each is an argument list; the first that fails ends it. */
  connect(url: string): string[][];
  disconnect: string[][];
}

const INTEGRATIONS = join(import.meta.dirname, '..', '..', '..', 'integrations');
const MAX_RUN_MS = 60_000;

export const AGENTS: Record<string, AgentProgram> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    connect: (url) => [
      ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'countersign', `${url}/mcp`],
      ['plugin', 'marketplace', 'add', join(INTEGRATIONS, 'claude-code')],
      ['plugin', 'install', 'countersign@countersign'],
    ],
    disconnect: [
      ['plugin', 'uninstall', 'countersign@countersign'],
      ['plugin', 'marketplace', 'remove', 'countersign'],
      ['mcp', 'remove', '--scope', 'user', 'countersign'],
    ],
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    connect: (url) => [
      ['mcp', 'add', 'countersign', '--url', `${url}/mcp`],
      ['plugin', 'marketplace', 'add', join(INTEGRATIONS, 'codex')],
      ['plugin', 'add', 'countersign@countersign'],
    ],
    disconnect: [
      ['plugin', 'remove', 'countersign@countersign'],
      ['plugin', 'marketplace', 'remove', 'countersign'],
      ['mcp', 'remove', 'countersign'],
    ],
  },
  cursor: {
    title: 'Cursor',
    program: 'cursor',
    connect: (url) => [['--add-mcp', JSON.stringify({ name: 'countersign', url: `${url}/mcp` })]],
    disconnect: [],
  },
};

/** The names of those that are installed. */
export async function findAgents({ PATH }: Environment): Promise<string[]> {
  const folders = (PATH ?? '').split(delimiter).filter(Boolean);
  const found = await Promise.all(
    Object.entries(AGENTS).map(async ([name, { program }]) => {
      const places = folders.map((folder) => access(join(folder, program), constants.X_OK));
      const isHere = (await Promise.allSettled(places)).some(({ status }) => status === 'fulfilled');
      return isHere ? [name] : [];
    }),
  );
  return found.flat();
}

/** Returns the message for the user. */
export async function connectAgent(name: string, url: string, env: Environment): Promise<string> {
  const { connect, disconnect, program, title } = AGENTS[name]!;
  for (const words of connect(url)) {
    let problem = await run(program, words, env);
    // The entry of an earlier time may have another address.
    if (problem && /already/i.test(problem) && words[0] === 'mcp') {
      await run(program, disconnect.find(([first]) => first === 'mcp')!, env);
      problem = await run(program, words, env);
    }
    // A plugin of an earlier time is as good.
    if (problem && !/already/i.test(problem))
      return `${title} was not connected: ${program} ${words.join(' ')}: ${problem}`;
  }
  return `${title} is connected. It asks you to sign in once, in the browser.`;
}

export async function disconnectAgent(name: string, env: Environment): Promise<string> {
  const { disconnect, program, title } = AGENTS[name] ?? { disconnect: [], program: name, title: name };
  for (const words of disconnect) await run(program, words, env);
  return disconnect.length === 0
    ? `Remove countersign from ${title} in its settings.`
    : `${title} is disconnected.`;
}

/** Undefined if it succeeded, otherwise its last line. */
function run(program: string, words: string[], env: Environment): Promise<string | undefined> {
  return new Promise((ended) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: MAX_RUN_MS });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-2000);
      });
    child.on('error', (error) => ended(error.message));
    child.on('close', (code) =>
      ended(code === 0 ? undefined : said.trim().split('\n').at(-1) || `it ended with ${code}`),
    );
  });
}
