/** The checks of `countersign doctor --mcp`: each makes one request, as an agent would, and reports the result. */
import { z } from 'zod';
import type { CheckResult } from '../../features/system/index.ts';
import {
  ask,
  call,
  clientInfo,
  envelope,
  type McpPlace,
  post,
  readJson,
  WITH_HANDSHAKE,
  WITHOUT_HANDSHAKE,
} from './doctor-request.ts';

export interface McpCheck {
  name: string;
  run(place: McpPlace): Promise<CheckResult>;
}

const good = (detail: string): CheckResult => ({ state: 'good', detail });
const bad = (detail: string, next?: string): CheckResult => ({ state: 'bad', detail, next });
const WITHOUT_KEY: CheckResult = {
  state: 'skipped',
  detail: 'needs a key: pass one in COUNTERSIGN_API_KEY or with --key',
};

export const mcpChecks: readonly McpCheck[] = [
  { name: 'The address responds', run: checkAddress },
  { name: 'The credential is accepted', run: checkCredential },
  { name: 'Agents can find out how to sign in', run: checkMetadata },
  { name: `MCP ${WITH_HANDSHAKE} handshake works`, run: checkInitialize },
  { name: `MCP ${WITHOUT_HANDSHAKE} discovery works`, run: checkDiscover },
  { name: 'Tools are listed', run: checkTools },
];

async function checkAddress(place: McpPlace): Promise<CheckResult> {
  const response = await ask(place, '/healthz');
  return response.status === 200 && (await response.text()).includes('alive')
    ? good(place.baseUrl)
    : bad(
        `${place.baseUrl}/healthz answers ${response.status}`,
        'Is this the address of Countersign? It is the BASE_URL of the service, followed by /mcp.',
      );
}

const Report = z.object({
  accepted: z.boolean(),
  detail: z.string(),
  next: z.string(),
  credential: z.object({ header: z.string(), shown: z.string() }).nullable(),
  caller: z.object({ user: z.string(), organization: z.string(), role: z.string() }).nullable(),
  warnings: z.array(z.object({ detail: z.string() })),
});

async function checkCredential(place: McpPlace): Promise<CheckResult> {
  const read = Report.safeParse(await readJson(await ask(place, '/mcp/doctor')));
  if (!read.success)
    return bad('/mcp/doctor returns no report', 'The service may be older than this command.');
  const { accepted, caller, credential, detail, next, warnings } = read.data;
  const warning = warnings.map((each) => each.detail).join(' ');
  if (place.key === undefined) return warning ? bad(warning) : WITHOUT_KEY;
  if (!credential)
    return bad('The key was sent but did not arrive.', 'A proxy may remove the x-api-key header.');
  const arrived = `${credential.shown} arrived as ${credential.header}`;
  if (!accepted) return bad(`${arrived}. ${detail}`, next);
  const whose = caller ? `${caller.user} of ${caller.organization}, ${caller.role}` : 'an unknown user';
  return warning ? bad(`${arrived}: ${whose}. ${warning}`) : good(`${arrived}: ${whose}`);
}

const ResourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).min(1),
});
const ServerMetadata = z.object({ issuer: z.string(), token_endpoint: z.string() });

async function checkMetadata(place: McpPlace): Promise<CheckResult> {
  const path = '/.well-known/oauth-protected-resource/mcp';
  const resource = ResourceMetadata.safeParse(await readJson(await ask(place, path)));
  if (!resource.success) return bad(`${path} returns no metadata (RFC 9728)`, 'A proxy may block this path.');
  if (resource.data.resource !== `${place.baseUrl}/mcp`) {
    const next = 'Use that address, or correct the BASE_URL of the service.';
    return bad(`the metadata describes ${resource.data.resource}, not ${place.baseUrl}/mcp`, next);
  }
  const [issuer] = resource.data.authorization_servers;
  const serverPath = '/.well-known/oauth-authorization-server';
  const server = ServerMetadata.safeParse(await readJson(await ask(place, serverPath)));
  return server.success && server.data.issuer === issuer
    ? good(`at ${issuer}`)
    : bad(`${serverPath} returns no metadata for ${issuer} (RFC 8414)`, 'A proxy may block this path.');
}

async function checkInitialize(place: McpPlace): Promise<CheckResult> {
  if (place.key === undefined) return checkChallenge(place);
  const params = { protocolVersion: WITH_HANDSHAKE, capabilities: {}, clientInfo: clientInfo() };
  const result = await call(place, 'initialize', params);
  const { serverInfo } = z
    .object({ serverInfo: z.object({ name: z.string(), version: z.string() }) })
    .parse(result);
  return good(`${serverInfo.name} ${serverInfo.version}`);
}

/** The first reply that a client without a credential gets. */
async function checkChallenge(place: McpPlace): Promise<CheckResult> {
  const response = await post(place, { jsonrpc: '2.0', id: 1, method: 'ping' });
  const challenge = response.headers.get('www-authenticate') ?? '';
  return response.status === 401 && challenge.includes('resource_metadata=')
    ? good('without a key, the service asks to sign in, as it should')
    : bad(`without a key, ${place.mcpUrl} answers ${response.status} and does not ask to sign in`);
}

async function checkDiscover(place: McpPlace): Promise<CheckResult> {
  if (place.key === undefined) return WITHOUT_KEY;
  const result = await call(place, 'server/discover', { _meta: envelope() }, { version: WITHOUT_HANDSHAKE });
  const { supportedVersions } = z.object({ supportedVersions: z.array(z.string()) }).parse(result);
  return good(`supports ${supportedVersions.join(', ')}`);
}

async function checkTools(place: McpPlace): Promise<CheckResult> {
  if (place.key === undefined) return WITHOUT_KEY;
  const result = await call(place, 'tools/list', { _meta: envelope() }, { version: WITHOUT_HANDSHAKE });
  const { tools } = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(result);
  if (tools.length === 0) return bad('there are no tools');
  return good(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
}
