/** Codex with an API key, with a sign-in, and with our plugin: listing tools, calling them, and what its model receives. */
import { join } from 'node:path';
import { type Client, codex, runClient } from './clients.ts';
import { CodexAppServer } from './codex-app-server.ts';
import type { Deployment } from './deployment.ts';
import { RESPONSES_API } from './model-apis.ts';
import type { Person } from './person.ts';
import { Program } from './program.ts';
import { ScriptedModel } from './scripted-model.ts';
import { expectMatch, type Steps } from './steps.ts';
import { checkToolResults, toolCallsFor } from './tool-results.ts';

const NAME = 'Codex';
const MARKETPLACE = join(import.meta.dirname, '..', '..', 'integrations', 'codex');
const SKILLS = [
  'countersign:address-review',
  'countersign:review-changes',
  'countersign:answer-plan-comments',
  'countersign:plan-a-change',
];

export async function testCodex(
  steps: Steps,
  deployment: Deployment,
  person: Person,
  folders: { clients: string; home: string },
): Promise<void> {
  const withHome = (name: string, env?: Record<string, string>) =>
    codex(folders.clients, join(folders.home, `codex-${name}`), env);
  const address = ['--url', `${deployment.url}/mcp`];

  const withKey = withHome('key', { COUNTERSIGN_API_KEY: deployment.key });
  await steps.try(NAME, 'mcp add --bearer-token-env-var, mcp list', async () => {
    const key = ['--bearer-token-env-var', 'COUNTERSIGN_API_KEY'];
    await runClient(withKey, 'mcp', 'add', 'countersign', ...address, ...key);
    return expectMatch(await runClient(withKey, 'mcp', 'list'), /^countersign .*Bearer token.*$/m)[0];
  });
  await testTools(steps, 'with a key', withKey, deployment);
  await steps.try(NAME, 'exec: tool results as the model receives them', () =>
    testToolResults(withKey, deployment),
  );

  const signedIn = withHome('signed-in');
  await steps.try(NAME, 'mcp add signs in (OAuth), mcp list', async () => {
    await signIn(signedIn, ['add', 'countersign', ...address], person);
    return expectMatch(await runClient(signedIn, 'mcp', 'list'), /^countersign .*OAuth.*$/m)[0];
  });
  await testTools(steps, 'signed in', signedIn, deployment);
  await steps.try(NAME, 'mcp logout, mcp login --no-browser, mcp list', async () => {
    await runClient(signedIn, 'mcp', 'logout', 'countersign');
    expectMatch(await runClient(signedIn, 'mcp', 'list'), /Not logged in/);
    await signIn(signedIn, ['login', '--no-browser', 'countersign'], person);
    return expectMatch(await runClient(signedIn, 'mcp', 'list'), /^countersign .*OAuth.*$/m)[0];
  });

  await steps.try(NAME, 'plugin marketplace add, plugin add: skills/list', async () => {
    await runClient(withKey, 'plugin', 'marketplace', 'add', MARKETPLACE);
    await runClient(withKey, 'plugin', 'add', 'countersign@countersign');
    const found = await withAppServer(withKey, async (server) => {
      const { data } = await server.ask('skills/list', { cwds: [withKey.processOptions.cwd] });
      return data[0].skills.map((skill: { name: string }) => skill.name) as string[];
    });
    const missing = SKILLS.filter((skill) => !found.includes(skill));
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
    return SKILLS.join(', ');
  });
  await steps.try(NAME, 'plugin remove, mcp logout, mcp remove', async () => {
    await runClient(withKey, 'plugin', 'remove', 'countersign@countersign');
    await runClient(withKey, 'plugin', 'marketplace', 'remove', 'countersign');
    await runClient(signedIn, 'mcp', 'logout', 'countersign');
    await runClient(signedIn, 'mcp', 'remove', 'countersign');
    return expectMatch(await runClient(signedIn, 'mcp', 'list'), /No MCP servers/)[0];
  });
}

async function testTools(steps: Steps, how: string, client: Client, deployment: Deployment): Promise<void> {
  await steps.try(NAME, `app-server, ${how}: list the tools`, () =>
    withAppServer(client, async (server) => {
      const { data } = await server.ask('mcpServerStatus/list', {});
      const [status] = data;
      if (status.toolsError) throw new Error(status.toolsError);
      const tools = Object.keys(status.tools);
      for (const tool of ['get_plan', 'remote_grep', 'update_plan']) {
        if (!tools.includes(tool)) throw new Error(`no ${tool} in ${tools.join(', ')}`);
      }
      return `${tools.length} tools, ${status.authStatus}`;
    }),
  );
  await steps.try(NAME, `app-server, ${how}: post a plan`, () =>
    withAppServer(client, async (server) => {
      const { thread } = await server.ask('thread/start', {
        cwd: client.processOptions.cwd,
        ephemeral: true,
      });
      // Without agentVendor: the service derives it from the client's name.
      const plan = { sessionId: thread.id, content: `# Written ${how}\n\nBy Codex.` };
      const { structuredContent } = await server.ask('mcpServer/tool/call', {
        threadId: thread.id,
        server: 'countersign',
        tool: 'update_plan',
        arguments: plan,
      });
      expectMatch(structuredContent.next, /call `wait_for_review`/);
      return expectMatch(structuredContent.url, new RegExp(`^${deployment.url}/plans/${thread.id}$`))[0];
    }),
  );
}

async function testToolResults(client: Client, deployment: Deployment): Promise<string> {
  const calls = toolCallsFor(deployment);
  const turns = calls.map(({ input, tool }) => ({ use: `mcp__countersign.${tool}`, input }));
  const model = await ScriptedModel.start(RESPONSES_API, turns);
  try {
    const provider = `{name="Scripted",base_url="${model.url}/v1",wire_api="responses"}`;
    const settings = [
      'model="scripted"',
      'model_provider="scripted"',
      `model_providers.scripted=${provider}`,
    ];
    const options = settings.flatMap((setting) => ['-c', setting]);
    await runClient(client, 'exec', '--skip-git-repo-check', ...options, 'Read the plan.');
    return checkToolResults(calls, model.toolResults);
  } finally {
    model.close();
  }
}

async function withAppServer<Value>(
  client: Client,
  use: (server: CodexAppServer) => Promise<Value>,
): Promise<Value> {
  const server = await CodexAppServer.start(client);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** `codex mcp add` starts the sign-in that the server advertises; `codex mcp login` repeats it. */
async function signIn({ command, processOptions }: Client, args: string[], person: Person): Promise<void> {
  const login = new Program([...command, 'mcp', ...args], processOptions);
  try {
    const [address] = await login.until(/https?:\/\/\S+\/oauth\/\S+/);
    expectMatch(await person.allow(address), /Codex/);
    if ((await login.ended) !== 0) throw new Error(`codex mcp ${args[0]} failed:\n${login.output}`);
  } finally {
    await login.kill();
  }
}
