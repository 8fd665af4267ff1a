/** What Claude Code has to manage with the service: a key, a sign-in, and our plugin. */
import { join } from 'node:path';
import { tryPlanMode } from './claude-plan-mode.ts';
import { tryPlugin } from './claude-plugin.ts';
import { type Client, claudeCode, runClient } from './clients.ts';
import type { Person } from './person.ts';
import type { Place } from './place.ts';
import { inTerminal, Program } from './program.ts';
import { expectMatch, expectNoMatch, type Steps } from './steps.ts';

const NAME = 'Claude Code';
const PLUGIN = join(import.meta.dirname, '..', '..', 'integrations', 'claude-code');
const COMMANDS = ['address-review', 'answer-plan-comments', 'plan-a-change'];

export async function tryClaudeCode(
  steps: Steps,
  place: Place,
  person: Person,
  folders: { clients: string; home: string },
): Promise<void> {
  const withHome = (name: string, env?: Record<string, string>) =>
    claudeCode(folders.clients, join(folders.home, `claude-code-${name}`), env);

  const withKey = withHome('key');
  await steps.try(NAME, 'mcp add --header, mcp list', async () => {
    await add(withKey, place, '--header', `x-api-key: ${place.key}`);
    return connected(await runClient(withKey, 'mcp', 'list'), 'countersign');
  });
  await steps.try(NAME, 'mcp list with a key that is not valid', async () => {
    const other = withHome('wrong-key');
    await add(other, place, '--header', 'x-api-key: csk_wrong');
    const listed = await runClient(other, 'mcp', 'list');
    expectNoMatch(listed, /Connected/);
    return lineOf(listed, 'countersign');
  });

  const signedIn = withHome('signed-in');
  await steps.try(NAME, 'mcp add, mcp login (OAuth), mcp list', async () => {
    await add(signedIn, place);
    expectMatch(await runClient(signedIn, 'mcp', 'list'), /Needs authentication/);
    await logIn(signedIn, 'countersign', person);
    return connected(await runClient(signedIn, 'mcp', 'list'), 'countersign');
  });
  await steps.try(NAME, 'mcp list after the sign-in was revoked in Countersign', async () => {
    if ((await place.revokeAgents()) === 0) throw new Error('no agent was signed in');
    const listed = await runClient(signedIn, 'mcp', 'list');
    expectMatch(listed, /Needs authentication/);
    return lineOf(listed, 'countersign');
  });
  await steps.try(NAME, 'mcp login again, mcp logout, mcp list', async () => {
    await logIn(signedIn, 'countersign', person);
    connected(await runClient(signedIn, 'mcp', 'list'), 'countersign');
    await runClient(signedIn, 'mcp', 'logout', 'countersign');
    const listed = await runClient(signedIn, 'mcp', 'list');
    expectMatch(listed, /Needs authentication/);
    return lineOf(listed, 'countersign');
  });

  const withPlugin = withHome('plugin', { COUNTERSIGN_URL: place.url });
  const server = 'plugin:countersign:countersign';
  await steps.try(NAME, 'plugin validate --strict', async () => {
    await runClient(withPlugin, 'plugin', 'validate', '--strict', PLUGIN);
    const manifest = join(PLUGIN, '.claude-plugin', 'plugin.json');
    const validated = await runClient(withPlugin, 'plugin', 'validate', '--strict', manifest);
    return expectMatch(validated, /Validation passed/)[0];
  });
  await steps.try(NAME, 'plugin install from the folder', async () => {
    await runClient(withPlugin, 'plugin', 'marketplace', 'add', PLUGIN);
    await runClient(withPlugin, 'plugin', 'install', 'countersign@countersign');
    const details = await runClient(withPlugin, 'plugin', 'details', 'countersign');
    for (const command of COMMANDS) expectMatch(details, new RegExp(command));
    expectMatch(details, /Hooks \(3\) .*PermissionRequest/);
    expectMatch(details, /MCP servers \(1\) +countersign/);
    return '3 commands, 3 hooks, 1 MCP server';
  });
  await steps.try(NAME, "mcp login of the plugin's server, mcp list", async () => {
    await logIn(withPlugin, server, person);
    return connected(await runClient(withPlugin, 'mcp', 'list'), server);
  });
  await tryPlugin(steps, place, withPlugin);
  await tryPlanMode(steps, place, withPlugin);
  await steps.try(NAME, "a key in place of the plugin's sign-in", async () => {
    await add(withPlugin, place, '--header', `x-api-key: ${place.key}`);
    const listed = await runClient(withPlugin, 'mcp', 'list');
    expectNoMatch(listed, /plugin:countersign/);
    return connected(listed, 'countersign');
  });
  await steps.try(NAME, 'plugin uninstall', async () => {
    await runClient(withPlugin, 'plugin', 'uninstall', 'countersign');
    expectNoMatch(await runClient(withPlugin, 'plugin', 'list'), /countersign@countersign/);
    return 'gone';
  });
}

function add(client: Client, { url }: Place, ...words: string[]): Promise<string> {
  return runClient(client, 'mcp', 'add', '--transport', 'http', 'countersign', `${url}/mcp`, ...words);
}

/** `claude mcp login`, with a person who opens the address that it prints. */
async function logIn({ command, surroundings }: Client, server: string, person: Person): Promise<void> {
  const words = inTerminal([...command, 'mcp', 'login', '--no-browser', server]);
  const login = new Program(words, surroundings);
  try {
    const [address] = await login.until(/https?:\/\/\S+\/oauth\/\S+/);
    expectMatch(await person.allow(address), /Claude Code/);
    if ((await login.ended) !== 0) throw new Error(`claude mcp login failed:\n${login.output}`);
  } finally {
    await login.kill();
  }
}

function connected(listed: string, server: string): string {
  const line = lineOf(listed, server);
  expectMatch(line, /Connected/);
  return line;
}

function lineOf(listed: string, server: string): string {
  const line = listed.split('\n').find((each) => each.startsWith(`${server}: `));
  if (line === undefined) throw new Error(`there is no ${server} in:\n${listed}`);
  return line;
}
