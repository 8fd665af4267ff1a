/** Dependencies of the HTTP transport on the rest of the program; the composition root passes them in. */
import type { Actor } from '../../platform/core/operations/actor.ts';
import type { CredentialCheck } from '../../platform/core/operations/credential-check.ts';
import type { Operation } from '../../platform/core/operations/operation.ts';
import type { AgentSignIn } from '../../platform/core/ports/agent-sign-in.ts';
import type { McpEndpoint } from '../../platform/core/ports/mcp-endpoint.ts';
import type { Log } from '../../platform/core/telemetry/log.ts';
import type { BytesInFlight } from './bytes-in-flight.ts';
import type { DisconnectOf } from './disconnects.ts';
import type { JsonWork } from './json-work.ts';

/** Who a credential belongs to right now; undefined when it is not valid, for any reason. */
export interface Authenticate {
  byKey(secret: string): Promise<Actor | undefined>;
  bySession(token: string): Promise<Actor | undefined>;
  /** The access token of an agent that signed in with OAuth. */
  byToken(token: string): Promise<Actor | undefined>;
  /** For the doctor: whose credential it is, or why it is not valid. */
  explain: {
    key(secret: string): Promise<CredentialCheck>;
    token(token: string): Promise<CredentialCheck>;
  };
}

/** One call of an operation, as the transport sees it. */
export interface Call {
  actor: Actor | undefined;
  requestId: string;
  log: Log;
  client: { address: string; userAgent: string | null };
  session: {
    token: string | undefined;
    start(token: string, expiresAt: Date): void;
    end(): void;
    deviceToken: string | undefined;
    rememberDevice(token: string): void;
    browserToken: string | undefined;
    rememberBrowser(token: string): void;
  };
  received: { headers: Record<string, string | string[] | undefined>; body: Uint8Array } | undefined;
  afterCommit(task: () => void): void;
  disconnected(): AbortSignal;
  stillAllowed(): Promise<boolean>;
}

/** A reply that can be stored: never a streamed one. */
export interface KeptReply {
  status: number;
  body: string | null;
}

/** Runs a request with an Idempotency-Key at most once and stores its reply. */
export type RunOnce<Context> = (
  request: { actor: Actor; key: string; target: string; body: Buffer },
  context: Context,
  run: (context: Context) => Promise<KeptReply>,
) => Promise<KeptReply>;

export interface ServerOptions<Context> {
  operations: readonly Operation<Context>[];
  authenticate: Authenticate;
  createContext(call: Call): Context;
  runOnce: RunOnce<Context>;
  /** Resolves when the service can answer; else rejects with the reason. */
  checkReady(): Promise<void>;
  /** Whether an error means that the database cannot be reached right now. */
  isOutage(error: unknown): boolean;
  /** Fires when the service stops: long waits end then. */
  stopping: AbortSignal;
  /** The address of the service; final once it is listening. */
  site: { baseUrl: string };
  /** The folder of the built web app; without one no pages are served. */
  webAppFolder: string | undefined;
  mcp: McpEndpoint<Context>;
  agentSignIn: AgentSignIn;
  log: Log;
  metrics: Metrics;
  settings: {
    bodyLimitBytes: number;
    slowRequestMs: number;
    rateLimit: { perKey: number; perAddress: number } | undefined;
    trustedProxies: string[];
    metricsToken: string | undefined;
    mcpAllowedOrigins: string[];
    allowedHosts: readonly string[];
    agentVendors: readonly string[];
  };
}

/** The options, and what the server itself adds to them. */
export interface ServerParts<Context> extends ServerOptions<Context> {
  disconnectOf: DisconnectOf;
  inFlight: BytesInFlight;
  jsonWork: JsonWork;
}

export interface Metrics {
  observeRequest(labels: { operation: string; status: number; waiting: boolean }, seconds: number): void;
  render(): Promise<{ contentType: string; text: string }>;
}
