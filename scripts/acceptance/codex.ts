/** What Codex has to manage with the service: a key, a sign-in, listing and calling tools, and our plugin. */
import { join } from 'node:path';
import { type Client, codex, runClient } from './clients.ts';
import { CodexAppServer } from './codex-app-server.ts';
import type { Person } from './person.ts';
import { type Place, REPOSITORY } from './place.ts';
import { Program } from './program.ts';
import { expectMatch, type Steps } from './steps.ts';

const NAME = 'Codex';
const MARKETPLACE = join(import.meta.dirname, '..', '..', 'integrations', 'codex');
const SKILLS = [
  'countersign:address-review',
  'countersign:answer-plan-comments',
  'countersign:plan-a-change',
];

export async function tryCodex(
  steps: Steps,
  place: Place,
  person: Person,
  folders: { clients: string; home: string },
): Promise<void> {
  const withHome = (name: string, env?: Record<string, string>) =>
    codex(folders.clients, join(folders.home, `codex-${name}`), env);
  const address = ['--url', `${place.url}/mcp`];

  const withKey = withHome('key', { COUNTERSIGN_API_KEY: place.key });
  await steps.try(NAME, 'mcp add --bearer-token-env-var, mcp list', async () => {
    const key = ['--bearer-token-env-var', 'COUNTERSIGN_API_KEY'];
    await runClient(withKey, 'mcp', 'add', 'countersign', ...address, ...key);
    return expectMatch(await runClient(withKey, 'mcp', 'list'), /^countersign .*Bearer token.*$/m)[0];
  });
  await tryTools(steps, 'with a key', withKey, place);

  const signedIn = withHome('signed-in');
  await steps.try(NAME, 'mcp add signs in (OAuth), mcp list', async () => {
    await signIn(signedIn, ['add', 'countersign', ...address], person);
    return expectMatch(await runClient(signedIn, 'mcp', 'list'), /^countersign .*OAuth.*$/m)[0];
  });
  await tryTools(steps, 'signed in', signedIn, place);
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
      const { data } = await server.ask('skills/list', { cwds: [withKey.surroundings.cwd] });
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

async function tryTools(steps: Steps, how: string, client: Client, place: Place): Promise<void> {
  await steps.try(NAME, `app-server, ${how}: list the tools`, () =>
    withAppServer(client, async (server) => {
      const { data } = await server.ask('mcpServerStatus/list', {});
      const [status] = data;
      if (status.toolsError) throw new Error(status.toolsError);
      const tools = Object.keys(status.tools);
      for (const tool of ['get_plan', 'remote_grep', 'update_plan']) {
        if (!tools.includes(tool)) throw new Error(`there is no ${tool} in ${tools.join(', ')}`);
      }
      return `${tools.length} tools, ${status.authStatus}`;
    }),
  );
  await steps.try(NAME, `app-server, ${how}: call tools`, () =>
    withAppServer(client, async (server) => {
      const { thread } = await server.ask('thread/start', {
        cwd: client.surroundings.cwd,
        ephemeral: true,
      });
      const call = async (tool: string, input: object) => {
        const target = { threadId: thread.id, server: 'countersign', tool, arguments: input };
        const reply = await server.ask('mcpServer/tool/call', target);
        if (reply.isError) throw new Error(`${tool}: ${JSON.stringify(reply.content)}`);
        return JSON.stringify(reply.content);
      };
      expectMatch(await call('get_plan', { planId: place.planId }), /Faster exports/);
      const search = { repository: REPOSITORY, pattern: 'placeOrder', path: '.' };
      expectMatch(await call('remote_grep', search), /orders\.ts/);
      // Without agentVendor: the service takes it from the client's name.
      const plan = { sessionId: thread.id, content: `# Written ${how}\n\nBy Codex.` };
      expectMatch(await call('update_plan', plan), new RegExp(`${place.url}/plans/${thread.id}`));
      return 'get_plan, remote_grep, update_plan';
    }),
  );
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

/** `codex mcp add` finds out by itself that the server has a sign-in, and starts it; `codex mcp login` does it again. */
async function signIn({ command, surroundings }: Client, words: string[], person: Person): Promise<void> {
  const login = new Program([...command, 'mcp', ...words], surroundings);
  try {
    const [address] = await login.until(/https?:\/\/\S+\/oauth\/\S+/);
    expectMatch(await person.allow(address), /Codex/);
    if ((await login.ended) !== 0) throw new Error(`codex mcp ${words[0]} failed:\n${login.output}`);
  } finally {
    await login.kill();
  }
}
