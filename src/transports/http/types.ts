/** What the HTTP side asks of the rest of the program: it is handed in by the composition root. */
import type { Actor } from '../../platform/core/actor.ts';
import type { AgentSignIn } from '../../platform/core/agent-sign-in.ts';
import type { CredentialCheck } from '../../platform/core/credential-check.ts';
import type { Log } from '../../platform/core/log.ts';
import type { McpEndpoint } from '../../platform/core/mcp-endpoint.ts';
import type { Operation } from '../../platform/core/operation.ts';
import type { DisconnectOf } from './disconnects.ts';

/** Who a credential belongs to at this moment; undefined when it is not valid, for whatever reason. */
export interface Authenticate {
  byKey(secret: string): Promise<Actor | undefined>;
  bySession(token: string): Promise<Actor | undefined>;
  /** The access token of an agent that somebody signed in. */
  byToken(token: string): Promise<Actor | undefined>;
  /** For the doctor: whose it is, or why it opens nothing. */
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
  };
  afterCommit(task: () => void): void;
  disconnected(): AbortSignal;
  stillAllowed(): Promise<boolean>;
}

/** A reply that can be kept: never one that is written in pieces. */
export interface KeptReply {
  status: number;
  body: string | null;
}

/** Runs a request that carries an Idempotency-Key at most once and keeps its reply. */
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
  /** Fires when the service stops: whatever waits for long ends then. */
  stopping: AbortSignal;
  /** Where the service is reached; known for certain once it listens. */
  site: { baseUrl: string };
  /** The folder of the built web app; without one no pages are served. */
  webAppFolder: string | undefined;
  mcp: McpEndpoint<Context>;
  agentSignIn: AgentSignIn;
  log: Log;
  metrics: Metrics;
  settings: {
    bodyLimitBytes: number;
    rateLimit: { perKey: number; perAddress: number } | undefined;
    trustedProxies: string[];
    metricsToken: string | undefined;
    mcpAllowedOrigins: string[];
    allowedHosts: readonly string[];
    agentVendors: readonly string[];
  };
}

/** What the server itself adds to what it was handed. */
export interface ServerParts<Context> extends ServerOptions<Context> {
  disconnectOf: DisconnectOf;
}

export interface Metrics {
  observeRequest(labels: { operation: string; status: number }, seconds: number): void;
  render(): Promise<{ contentType: string; text: string }>;
}
