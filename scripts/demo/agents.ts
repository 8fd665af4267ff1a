/** Signed-in agents and two sign-ins that nobody answered yet, created over HTTP as agents and a browser do. */
import { createHash, randomBytes } from 'node:crypto';

export interface DemoAgents {
  /** The authorization paths of an agent on this computer and of a remote one. */
  local: string;
  remote: string;
}

const LOCAL = { client_name: 'Claude Code', redirect_uris: ['http://127.0.0.1:33418/callback'] };
const CURSOR = { client_name: 'Cursor', redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] };
const REMOTE = {
  client_name: 'Release planner',
  client_uri: 'https://planner.acme.example/about',
  redirect_uris: ['https://planner.acme.example/callback'],
};

/** `session` is the session cookie of the user who allows them. */
export async function makeDemoAgents(service: string, session: string): Promise<DemoAgents> {
  for (const agent of [REMOTE, CURSOR, LOCAL]) await allow(service, session, await authorize(service, agent));
  return { local: (await authorize(service, LOCAL)).path, remote: (await authorize(service, REMOTE)).path };
}

interface Authorization {
  path: string;
  /** Sent with the code to get tokens. */
  proof: Record<string, string>;
}

async function authorize(service: string, agent: typeof LOCAL): Promise<Authorization> {
  const registered = await fetch(`${service}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...agent, token_endpoint_auth_method: 'none' }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString('base64url');
  const who = { client_id, redirect_uri: agent.redirect_uris[0]! };
  const parameters = new URLSearchParams({
    ...who,
    response_type: 'code',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { path: `/oauth/auth?${parameters}`, proof: { ...who, code_verifier } };
}

async function allow(service: string, session: string, { path, proof }: Authorization): Promise<void> {
  const open = (address: string, cookies: string[]) =>
    fetch(service + address, { redirect: 'manual', headers: { cookie: cookies.join('; ') } });
  const asked = await open(path, [session]);
  const cookies = [session, ...asked.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]!)];
  const signInId = asked.headers.get('location')!.split('/').at(-1)!;
  await fetch(`${service}/api/v2/agent-sign-ins/${signInId}/answer`, {
    method: 'POST',
    headers: { cookie: session, 'content-type': 'application/json' },
    body: JSON.stringify({ allow: true }),
  });
  const back = await open(`/oauth/auth/${signInId}`, cookies);
  const code = new URL(back.headers.get('location')!).searchParams.get('code')!;
  const redeemed = await fetch(`${service}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...proof, code, grant_type: 'authorization_code' }),
  });
  if (!redeemed.ok)
    throw new Error(`The agent was not signed in: ${redeemed.status} ${await redeemed.text()}`);
}
