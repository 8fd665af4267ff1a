/**
 * `subscriptions/listen`: tells an agent when plans that it may see change. Each subscription has a handler of the
 * library and a bus of its own, so that nothing of one can reach another.
 */
import type {
  AuthInfo,
  CreateMcpHandlerOptions,
  McpHttpHandler,
  ServerEvent,
  ServerEventBus,
} from '@modelcontextprotocol/server';
import { Problem } from '../../platform/core/errors.ts';
import type { McpCall } from '../../platform/core/mcp-endpoint.ts';
import type { StreamEvent } from '../../platform/core/operation.ts';
import { type ProtocolFailure, protocolFailure } from './protocol-failure.ts';
import { readResourceAddress } from './resource-address.ts';
import { operationsByName } from './run-operation.ts';
import type { McpServices } from './services.ts';

const METHOD = 'subscriptions/listen';
/** How long an ended credential can keep hearing that something changed. */
const ASK_AGAIN_MS = 5_000;
/** Every plan that one credential may follow at once, with its comments. */
const MAX_ADDRESSES = 200;

export type MakeHandler = (
  options: Pick<CreateMcpHandlerOptions, 'bus' | 'maxSubscriptions'>,
) => McpHttpHandler;

/** A plan that is followed, with the addresses by which the agent named it and its comments. */
interface Followed {
  addresses: { uri: string; part: 'plan' | 'comments' }[];
  events: AsyncIterable<StreamEvent>;
}

/** The newer generation of the protocol names the method in a header, and the library refuses what differs. */
export function isSubscription(request: Request): boolean {
  return request.headers.get('mcp-method') === METHOD;
}

export async function listen<Context>(
  request: Request,
  call: McpCall<Context>,
  services: McpServices<Context>,
  makeHandler: MakeHandler,
  authInfo: AuthInfo,
): Promise<Response> {
  const { message } = call;
  const named = addressesIn(message);
  let followed: Followed[];
  try {
    followed = await follow(named, call, services);
  } catch (error) {
    return refusal(message, protocolFailure(error, services, call));
  }
  const bus = busOf(followed, call, services, () => handler.close());
  const handler = makeHandler({ bus });
  const honored = new Set(followed.flatMap(({ addresses }) => addresses.map(({ uri }) => uri)));
  const { headers, method, url } = request;
  // A stop of the service ends it too: unlike a call, it has no answer to wait for.
  return handler.fetch(new Request(url, { method, headers, signal: call.gone }), {
    authInfo,
    parsedBody: withAddresses(
      message,
      named.filter((uri) => honored.has(uri)),
    ),
  });
}

interface ListenMessage {
  id?: unknown;
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

/** What the library will refuse in any case counts as none. */
function addressesIn(message: unknown): string[] {
  const named = (message as ListenMessage | undefined)?.params?.notifications?.resourceSubscriptions;
  return Array.isArray(named) ? named.filter((uri) => typeof uri === 'string') : [];
}

function withAddresses(message: unknown, uris: string[]): unknown {
  const { params } = (message ?? {}) as ListenMessage;
  if (!Array.isArray(params?.notifications?.resourceSubscriptions)) return message;
  const notifications = { ...params.notifications, resourceSubscriptions: uris };
  return { ...(message as ListenMessage), params: { ...params, notifications } };
}

/** The plans among the addresses that the caller may see; of any other nothing is said. */
async function follow<Context>(
  uris: string[],
  call: McpCall<Context>,
  services: McpServices<Context>,
): Promise<Followed[]> {
  const { has, runnerOf } = operationsByName(services.operations);
  if (!has('stream-plan-changes')) return [];
  if (uris.length > MAX_ADDRESSES) {
    throw new Problem('rate_limited', `At most ${MAX_ADDRESSES} resources can be followed at once.`);
  }
  const addresses = [...new Set(uris)].flatMap((uri) => {
    const address = readResourceAddress(uri);
    return address ? [{ uri, ...address }] : [];
  });
  const followed: Followed[] = [];
  for (const [seriesId, ofPlan] of Map.groupBy(addresses, ({ planId }) => planId)) {
    try {
      const events = await runnerOf(call)('stream-plan-changes', { seriesId });
      followed.push({ addresses: ofPlan, events });
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
    }
  }
  return followed;
}

/** Publishes what happens to the plans, until the agent goes, its credential ends, or all plans are gone. */
function busOf<Context>(
  followed: Followed[],
  call: McpCall<Context>,
  { log }: McpServices<Context>,
  end: () => Promise<void>,
): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe(tell) {
      const stop = () => void end().catch(() => undefined);
      const asking = setInterval(
        () => void call.stillAllowed().then((allowed) => allowed || stop(), stop),
        ASK_AGAIN_MS,
      );
      asking.unref();
      Promise.all(followed.map((plan) => tellOf(plan, tell)))
        .catch((error: unknown) =>
          log.warn({ requestId: call.requestId, err: error }, 'a subscription ended'),
        )
        .finally(stop);
      return () => clearInterval(asking);
    },
  };
}

/** Events that change the comments of a plan, and those that change nothing else. */
const CHANGE_COMMENTS = new Set([
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'comments_addressed',
  'version_added',
]);
const LEAVE_PLAN = new Set(['comment_added', 'comment_edited', 'comment_triaged', 'comments_addressed']);

async function tellOf({ addresses, events }: Followed, tell: (event: ServerEvent) => void): Promise<void> {
  for await (const { kind } of events) {
    if (kind === '') continue; // A sign of life.
    for (const { part, uri } of addresses) {
      const isConcerned = part === 'comments' ? CHANGE_COMMENTS.has(kind) : !LEAVE_PLAN.has(kind);
      if (isConcerned) tell({ kind: 'resource_updated', uri });
    }
  }
}

/** As the library would answer, but in our own words. */
function refusal(message: unknown, { code, message: words }: ProtocolFailure): Response {
  const { id } = (message ?? {}) as ListenMessage;
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code, message: words } });
}
