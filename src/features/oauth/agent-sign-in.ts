/** The OAuth 2.1 server for agent sign-in: adapts the requests of real agents to what the library expects. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type {
  AgentSignIn,
  AgentSignInRoute,
  AgentSignInVisit,
} from '../../platform/core/ports/agent-sign-in.ts';
import type { SecretBox } from '../../platform/core/ports/secret-box.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { Clock } from '../../platform/core/text/clock.ts';
import type { Db } from '../../platform/db/index.ts';
import { createTokenFinder, type TokenFinder } from './find-token.ts';
import { authorizationServerDocument, PATHS, protectedResourceDocument } from './metadata.ts';
import { loadProvider } from './provider.ts';
import { authorizationParameters, tokenParameters } from './read-parameters.ts';
import { readRegistration } from './read-registration.ts';
import { NOT_TO_CONTINUE, PAGE_HEADERS, renderSignInPage, START_AGAIN } from './sign-in-page.ts';
import { duringVisit } from './visit.ts';

interface AgentSignInServer extends AgentSignIn, TokenFinder {}

const REGISTRATIONS_A_MINUTE = 10;
const METADATA_CACHE = 'public, max-age=300';
const RESUME_PATH = new RegExp(`^${PATHS.authorization}/[\\w-]{1,100}$`);
const FORM_TYPE = 'application/x-www-form-urlencoded';

type Handle = (visit: AgentSignInVisit, url: URL) => Promise<void> | void;

export function createAgentSignIn(services: {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  site: { baseUrl: string };
  clientMetadataDocuments: boolean;
}): AgentSignInServer {
  const { clientMetadataDocuments, clock, db, site } = services;
  type Library = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  let loading: Promise<Library> | undefined;
  const library = () => {
    loading ??= loadProvider({ ...services, baseUrl: site.baseUrl }).then((provider) => provider.callback());
    return loading;
  };

  /** Passes a request on in the form that the library expects. */
  async function pass(visit: AgentSignInVisit, path: string, content?: { type: string; body: string }) {
    const { address, requestId, sessionId } = visit;
    const because = path === PATHS.revocation ? 'signed_out' : 'used_twice';
    const request = libraryRequest(visit, path, site.baseUrl, content);
    const answer = await library();
    await duringVisit({ address, requestId, sessionId, endsGrantBecause: because }, () =>
      answer(request, visit.response),
    );
  }

  const authorize: Handle = (visit, url) => {
    if ([...url.searchParams.values()].some((value) => value.includes('\0'))) {
      return sendPage(visit, { title: 'Invalid sign-in request', detail: START_AGAIN });
    }
    const parameters = authorizationParameters(url.searchParams, site.baseUrl);
    return pass(visit, `${PATHS.authorization}?${parameters}`);
  };

  /** Checked first, because dots in it would lead to another path. */
  const resume: Handle = (visit, url) =>
    RESUME_PATH.test(url.pathname) ? pass(visit, url.pathname) : sendPage(visit, NOT_TO_CONTINUE);

  /** Bodies of other types are passed on unchanged, and rejected by the library. */
  const passForm = (path: string): Handle => {
    return (visit) => {
      const type = visit.request.headers['content-type'] ?? '';
      const body = visit.body.toString('utf8');
      if (!type.toLowerCase().startsWith(FORM_TYPE)) return pass(visit, path, { type, body });
      const parameters = tokenParameters(new URLSearchParams(body), site.baseUrl);
      return pass(visit, path, { type: FORM_TYPE, body: String(parameters) });
    };
  };

  const register: Handle = (visit) => {
    const registration = readRegistration(parseJson(visit.body));
    if ('error' in registration) return sendJson(visit.response, 400, registration);
    return pass(visit, PATHS.registration, { type: 'application/json', body: JSON.stringify(registration) });
  };

  const document =
    (describe: (baseUrl: string) => object): Handle =>
    ({ response }) =>
      sendJson(response, 200, describe(site.baseUrl), METADATA_CACHE);
  const protectedResource = document(protectedResourceDocument);
  const authorizationServer = document((baseUrl) =>
    authorizationServerDocument(baseUrl, { clientMetadataDocuments }),
  );

  const open = (method: 'GET' | 'POST', path: string, handle: Handle, maxPerMinute?: number) => ({
    route: { method, path, anyOrigin: true, maxPerMinute },
    handle,
  });
  const forBrowsers = (path: string, handle: Handle) => ({
    route: { method: 'GET' as const, path, anyOrigin: false },
    handle,
  });
  const table: { route: AgentSignInRoute; handle: Handle }[] = [
    open('GET', '/.well-known/oauth-protected-resource', protectedResource),
    open('GET', '/.well-known/oauth-protected-resource/mcp', protectedResource),
    open('GET', '/.well-known/oauth-authorization-server', authorizationServer),
    open('GET', '/.well-known/openid-configuration', authorizationServer),
    open('POST', PATHS.registration, register, REGISTRATIONS_A_MINUTE),
    open('POST', PATHS.token, passForm(PATHS.token)),
    open('POST', PATHS.revocation, passForm(PATHS.revocation)),
    forBrowsers(PATHS.authorization, authorize),
    forBrowsers(`${PATHS.authorization}/:signInId`, resume),
  ];

  return {
    routes: table.map(({ route }) => route),
    async handle(visit) {
      const url = new URL(visit.request.url!, site.baseUrl);
      const entry = table.find(({ route }) => route.path === url.pathname);
      await (entry?.handle ?? resume)(visit, url);
    },
    ...createTokenFinder(db, clock),
  };
}

/** A request with the scheme and host of BASE_URL: a proxy may have terminated TLS and changed the host. */
function libraryRequest(
  { request: sent }: AgentSignInVisit,
  path: string,
  baseUrl: string,
  content: { type: string; body: string } | undefined,
): IncomingMessage {
  const { host, protocol } = new URL(baseUrl);
  // On a separate socket, because a request that ends destroys its socket.
  const request = new IncomingMessage(new Socket());
  request.method = sent.method;
  request.url = path;
  request.httpVersion = sent.httpVersion;
  request.headers = {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    accept: sent.method === 'GET' ? 'text/html' : 'application/json',
    ...(sent.headers.cookie !== undefined && { cookie: sent.headers.cookie }),
    ...(sent.headers.authorization !== undefined && { authorization: sent.headers.authorization }),
  };
  if (content) {
    request.headers['content-type'] = content.type;
    request.headers['content-length'] = String(Buffer.byteLength(content.body));
    request.push(content.body);
  }
  request.push(null);
  request.complete = true;
  return request;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function sendPage({ requestId, response }: AgentSignInVisit, fault: { title: string; detail: string }): void {
  send(response, 400, PAGE_HEADERS, renderSignInPage(fault, requestId));
}

function sendJson(response: ServerResponse, status: number, value: object, cacheControl = 'no-store'): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl };
  send(response, status, headers, JSON.stringify(value));
}

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
