/** Claude Code with an API key, with a sign-in, and with our plugin. */
import { join } from 'node:path';
import { testPlanMode } from './claude-plan-mode.ts';
import { testPlugin } from './claude-plugin.ts';
import { type Client, claudeCode, runClient } from './clients.ts';
import type { Deployment } from './deployment.ts';
import type { Person } from './person.ts';
import { inTerminal, Program } from './program.ts';
import { expectMatch, expectNoMatch, type Steps } from './steps.ts';

const NAME = 'Claude Code';
const PLUGIN = join(import.meta.dirname, '..', '..', 'integrations', 'claude-code');
const COMMANDS = ['address-review', 'answer-plan-comments', 'plan-a-change', 'review-changes'];

export async function testClaudeCode(
  steps: Steps,
  deployment: Deployment,
  person: Person,
  folders: { clients: string; home: string },
): Promise<void> {
  const withHome = (name: string, env?: Record<string, string>) =>
    claudeCode(folders.clients, join(folders.home, `claude-code-${name}`), env);

  const withKey = withHome('key');
  await steps.try(NAME, 'mcp add --header, mcp list', async () => {
    await add(withKey, deployment, '--header', `x-api-key: ${deployment.key}`);
    return connected(await runClient(withKey, 'mcp', 'list'), 'countersign');
  });
  await steps.try(NAME, 'mcp list with an invalid key', async () => {
    const other = withHome('wrong-key');
    await add(other, deployment, '--header', 'x-api-key: csk_wrong');
    const listed = await runClient(other, 'mcp', 'list');
    expectNoMatch(listed, /Connected/);
    return lineOf(listed, 'countersign');
  });

  const signedIn = withHome('signed-in');
  await steps.try(NAME, 'mcp add, mcp login (OAuth), mcp list', async () => {
    await add(signedIn, deployment);
    expectMatch(await runClient(signedIn, 'mcp', 'list'), /Needs authentication/);
    await logIn(signedIn, 'countersign', person);
    return connected(await runClient(signedIn, 'mcp', 'list'), 'countersign');
  });
  await steps.try(NAME, 'mcp list after the sign-in was revoked in Countersign', async () => {
    if ((await deployment.revokeAgents()) === 0) throw new Error('no agent was signed in');
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

  const withPlugin = withHome('plugin', { COUNTERSIGN_URL: deployment.url });
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
    return '4 commands, 2 subagents, 3 hooks, 1 MCP server';
  });
  await steps.try(NAME, "mcp login of the plugin's server, mcp list", async () => {
    await logIn(withPlugin, server, person);
    return connected(await runClient(withPlugin, 'mcp', 'list'), server);
  });
  await testPlugin(steps, deployment, withPlugin);
  await testPlanMode(steps, deployment, withPlugin);
  await steps.try(NAME, "a key instead of the plugin's sign-in", async () => {
    await add(withPlugin, deployment, '--header', `x-api-key: ${deployment.key}`);
    const listed = await runClient(withPlugin, 'mcp', 'list');
    expectNoMatch(listed, /plugin:countersign/);
    return connected(listed, 'countersign');
  });
  await steps.try(NAME, 'plugin uninstall', async () => {
    await runClient(withPlugin, 'plugin', 'uninstall', 'countersign');
    expectNoMatch(await runClient(withPlugin, 'plugin', 'list'), /countersign@countersign/);
    return 'uninstalled';
  });
}

function add(client: Client, { url }: Deployment, ...args: string[]): Promise<string> {
  return runClient(client, 'mcp', 'add', '--transport', 'http', 'countersign', `${url}/mcp`, ...args);
}

/** `claude mcp login`; the person opens the printed address and allows it. */
async function logIn({ command, processOptions }: Client, server: string, person: Person): Promise<void> {
  const args = inTerminal([...command, 'mcp', 'login', '--no-browser', server]);
  const login = new Program(args, processOptions);
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
  if (line === undefined) throw new Error(`no ${server} in:\n${listed}`);
  return line;
}
