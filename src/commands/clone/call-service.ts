/** Calls a running service with an API key, as agents do: commands that use it need no database. */
import { StartFailure } from '../../platform/core/errors/start-failure.ts';
import { type Call, textOption } from '../command.ts';
import {
  call as callMethod,
  clientInfo,
  envelope,
  type McpPlace,
  WITHOUT_HANDSHAKE,
} from '../doctor/doctor-request.ts';
import { readSavedService } from '../init/saved-service.ts';
import { printable } from '../terminal/printable.ts';

export const URL_OPTION = {
  name: 'url',
  value: 'URL',
  meaning: 'The address of the service (default: COUNTERSIGN_URL, else that of `countersign init`).',
};
export const KEY_NOTE =
  'The API key is taken from COUNTERSIGN_API_KEY, else from what `countersign init` saved.';

/** Longer than the service holds a call back. */
const ANSWER_WITHIN_MS = 90_000;

/** Where the service is, and the key. A saved key is only sent to the address that it was saved for. */
export async function findService(call: Call, option = URL_OPTION.name): Promise<McpPlace> {
  const { environment } = call;
  const saved = await readSavedService(environment);
  const given = textOption(call, option) || environment.COUNTERSIGN_URL?.trim() || saved?.url;
  if (!given)
    throw new StartFailure(
      'usage',
      `give the address of the service with --${option} or COUNTERSIGN_URL, or set one up with: countersign init`,
    );
  const baseUrl = readBaseUrl(given);
  const key =
    environment.COUNTERSIGN_API_KEY?.trim() ||
    (saved && readBaseUrl(saved.url) === baseUrl ? saved.key : undefined);
  if (!key)
    throw new StartFailure(
      'usage',
      `set COUNTERSIGN_API_KEY to an API key: create one at ${baseUrl}/settings/api-keys`,
    );
  // Otherwise the message of the failed request would contain it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new StartFailure(
      'usage',
      'COUNTERSIGN_API_KEY has characters that no key has, such as a line break',
    );
  return { baseUrl, mcpUrl: `${baseUrl}/mcp`, key };
}

/** Takes the address of a page or of `/mcp` too. */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartFailure('usage', `${printable(text)} is not a URL that starts with http:// or https://`);
  return url.origin + url.pathname.replace(/\/+(mcp\/*)?$/, '');
}

interface ToolReply {
  isError?: boolean;
  content?: { text?: string }[];
  structuredContent?: unknown;
}

/** The structured reply of a tool; a problem becomes a message for the operator. */
export async function callTool<Reply>(
  place: McpPlace,
  name: string,
  input: object,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Reply> {
  const params = {
    name,
    arguments: input,
    _meta: {
      ...envelope(),
      'io.modelcontextprotocol/clientInfo': { ...clientInfo(), name: 'countersign-cli' },
    },
  };
  const reply = (await callMethod(place, 'tools/call', params, {
    version: WITHOUT_HANDSHAKE,
    withinMs: Math.min(withinMs, ANSWER_WITHIN_MS),
  }).catch((error: unknown) => {
    throw new StartFailure('refused', `the call to ${place.baseUrl} failed: ${messageOf(error)}`, error);
  })) as ToolReply;
  if (reply.isError)
    throw new StartFailure(
      'refused',
      forPeople(reply.content?.map(({ text }) => text).join('\n') ?? 'failed'),
    );
  return reply.structuredContent as Reply;
}

/** A problem as tools write it for agents, without what only helps a program. */
function forPeople(problem: string): string {
  const lines = problem.split('\n');
  const detail = lines.find((line) => line.startsWith('detail: '))?.slice('detail: '.length);
  if (detail === undefined) return problem;
  const listed = lines.filter((line) => line.startsWith('- '));
  const wait = lines.filter((line) => line.startsWith('Retry-After: '));
  return [detail, ...(lines.includes('candidates:') ? ['Did you mean:'] : []), ...listed, ...wait].join('\n');
}

function messageOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : (message ?? String(error));
}
