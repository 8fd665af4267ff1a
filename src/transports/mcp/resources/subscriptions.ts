/**
 * `subscriptions/listen`: notifies an agent when plans and pull requests that it can see change. Each subscription has its own library
 * handler and bus, so that no subscription can receive another one's events.
 */
import type {
  AuthInfo,
  CreateMcpHandlerOptions,
  McpHttpHandler,
  ServerEvent,
  ServerEventBus,
} from '@modelcontextprotocol/server';
import { Problem } from '../../../platform/core/errors/errors.ts';
import type { StreamEvent } from '../../../platform/core/operations/operation.ts';
import type { McpCall } from '../../../platform/core/ports/mcp-endpoint.ts';
import { currentWork } from '../../../platform/core/work/work.ts';
import { type ProtocolFailure, protocolFailure } from '../protocol-failure.ts';
import { operationsByName, type RunOperation } from '../run-operation.ts';
import type { McpServices } from '../services.ts';
import { type ResourceAddress, readResourceAddress } from './resource-address.ts';

const METHOD = 'subscriptions/listen';
/** How often the credential is checked, and so how long a revoked one can still receive notifications. */
const CREDENTIAL_CHECK_MS = 5_000;
/** As many plans and pull requests as one credential can follow at once, each plan with its comments. */
const MAX_ADDRESSES = 200;

export type MakeHandler = (
  options: Pick<CreateMcpHandlerOptions, 'bus' | 'maxSubscriptions'>,
) => McpHttpHandler;

/** A followed plan or pull request, with the URIs that the agent sent for it. */
interface Followed {
  addresses: { uri: string; part: ResourceAddress['part'] }[];
  events: AsyncIterable<StreamEvent>;
}

/** Newer protocol versions send the method in a header, and the library refuses a header that differs from the body. */
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
  const work = currentWork();
  // Also without plans or pull requests to follow, it stays open.
  if (work) work.isWaiting = true;
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
  // It also ends when the service stops: unlike a call, it has no reply to wait for.
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

/** Empty for a malformed message, which the library refuses later. */
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

/** URIs that the caller can't see are ignored without a notice. */
async function follow<Context>(
  uris: string[],
  call: McpCall<Context>,
  services: McpServices<Context>,
): Promise<Followed[]> {
  const { has, runnerOf } = operationsByName(services.operations);
  if (!has('stream-plan-changes', 'read-branch-review', 'stream-pull-request-changes')) return [];
  if (uris.length > MAX_ADDRESSES) {
    throw new Problem('rate_limited', `At most ${MAX_ADDRESSES} resources can be followed at once.`);
  }
  const addresses = [...new Set(uris)].flatMap((uri) => {
    const address = readResourceAddress(uri);
    // A description can be read, not followed.
    return address && address.part !== 'repository' ? [{ uri, address, part: address.part }] : [];
  });
  const followed: Followed[] = [];
  for (const ofSubject of Map.groupBy(addresses, ({ address }) => subjectOf(address)).values()) {
    try {
      const events = await eventsOf(runnerOf(call), ofSubject[0]!.address);
      if (events) followed.push({ addresses: ofSubject, events });
    } catch (error) {
      if (!(error instanceof Problem && UNSEEN.has(error.code))) throw error;
    }
  }
  return followed;
}

type FollowedAddress = Exclude<ResourceAddress, { part: 'repository' }>;

/** A name that several repositories have names none of them. */
const UNSEEN = new Set<Problem['code']>(['not_found', 'ambiguous_repository', 'invalid_request']);

function subjectOf(address: FollowedAddress): string {
  return 'planId' in address ? address.planId : JSON.stringify([address.repository, address.branch]);
}

/** Undefined if the branch has no pull request. One that is opened later is not followed. */
async function eventsOf(
  run: RunOperation,
  address: FollowedAddress,
): Promise<AsyncIterable<StreamEvent> | undefined> {
  if ('planId' in address) return run('stream-plan-changes', { seriesId: address.planId });
  const { branch, repository } = address;
  const { pullRequest } = await run('read-branch-review', { repository, branch });
  return pullRequest ? run('stream-pull-request-changes', { pullRequestId: pullRequest.id }) : undefined;
}

/** Publishes changes until the agent disconnects, its credential is revoked, or everything that it follows is deleted. */
function busOf<Context>(
  followed: Followed[],
  call: McpCall<Context>,
  { log }: McpServices<Context>,
  end: () => Promise<void>,
): ServerEventBus {
  return {
    publish: () => undefined,
    subscribe(publish) {
      const stop = () => void end().catch(() => undefined);
      const credentialCheck = setInterval(
        () => void call.stillAllowed().then((allowed) => allowed || stop(), stop),
        CREDENTIAL_CHECK_MS,
      );
      credentialCheck.unref();
      Promise.all(followed.map((subject) => publishChanges(subject, publish)))
        .catch((error: unknown) =>
          log.warn({ requestId: call.requestId, err: error }, 'a subscription ended'),
        )
        .finally(stop);
      return () => clearInterval(credentialCheck);
    },
  };
}

/** Events that change a plan's comments, and events that change only its comments. */
const CHANGES_COMMENTS = new Set([
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'comments_addressed',
  'version_added',
]);
const CHANGES_ONLY_COMMENTS = new Set([
  'comment_added',
  'comment_edited',
  'comment_triaged',
  'comments_addressed',
]);

async function publishChanges(
  { addresses, events }: Followed,
  publish: (event: ServerEvent) => void,
): Promise<void> {
  for await (const { kind } of events) {
    if (kind === '') continue; // A heartbeat.
    for (const { part, uri } of addresses) {
      if (isAffected(part, kind)) publish({ kind: 'resource_updated', uri });
    }
  }
}

function isAffected(part: ResourceAddress['part'], kind: string): boolean {
  if (part === 'discussions') return true;
  return part === 'comments' ? CHANGES_COMMENTS.has(kind) : !CHANGES_ONLY_COMMENTS.has(kind);
}

/** The JSON-RPC error that the library would send, with our message. */
function refusal(message: unknown, { code, message: text }: ProtocolFailure): Response {
  const { id } = (message ?? {}) as ListenMessage;
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error: { code, message: text } });
}
