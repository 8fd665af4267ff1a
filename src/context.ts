/** The context that every operation's `run` receives, and the two functions that define an operation. */

import type { z } from 'zod';
import type { CodeHosts } from './engines/code-hosts/index.ts';
import type { EnvironmentSingleSignOn } from './engines/identity-provider/contract.ts';
import type { IdentityProviders } from './engines/identity-provider/index.ts';
import type { CodeReviewer } from './engines/review/contract/code-reviewer.ts';
import type { OutgoingNetwork } from './platform/core/network/outgoing-network.ts';
import type { Actor, Role } from './platform/core/operations/actor.ts';
import {
  type Access,
  checkOperation,
  type Operation,
  type VendorSettings,
} from './platform/core/operations/operation.ts';
import type { ChangeFeed } from './platform/core/ports/change-feed.ts';
import type { CodeReader } from './platform/core/ports/code-reader.ts';
import type { CodeWriter } from './platform/core/ports/code-writer.ts';
import type { MailServer } from './platform/core/ports/mail-server.ts';
import type { ConfiguredModels } from './platform/core/ports/model-endpoint.ts';
import type { SessionLife } from './platform/core/ports/retention.ts';
import type { SecretBox } from './platform/core/ports/secret-box.ts';
import type { Log } from './platform/core/telemetry/log.ts';
import type { Clock } from './platform/core/text/clock.ts';
import type { Call } from './platform/core/work/fair-queue.ts';
import type { NodeState } from './platform/core/work/node-state.ts';
import type { OpenWaits } from './platform/core/work/open-waits.ts';
import type { Db } from './platform/db/index.ts';

/** Services that the state of a node can be made of. Here `db` is never a transaction. */
export interface NodeServices {
  db: Db;
  secrets: SecretBox;
}

/** `unknown`: the host can't be asked now, or its pull requests are still being imported. */
export type OnHost = 'yes' | 'no' | 'unknown' | 'no_host';

/** Access to the browser session of a request; the transport decides how the token is carried. */
export interface SessionCarrier {
  /** The session token sent with the request, which may have expired or belong to another user. */
  token: string | undefined;
  start(token: string, expiresAt: Date): void;
  end(): void;
  /** Identifies a device that has signed in before; kept when the session ends. */
  deviceToken: string | undefined;
  rememberDevice(token: string): void;
  /** Binds a single sign-on to the browser that started it. */
  browserToken: string | undefined;
  rememberBrowser(token: string): void;
}

/** The operator's settings that operations depend on. */
export interface OperationSettings extends VendorSettings {
  /** Whether requests made on behalf of users may go to this machine and to private networks. */
  allowPrivateAddresses: boolean;
  /** Whether users may add repositories on this machine. */
  allowLocalRepositories: boolean;
  dataDir: string;
  secretFile: string;
  /** Undefined with the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  scheduledBackups: { folder: string; everyMs: number } | undefined;
  network: OutgoingNetwork;
  sessionLife: SessionLife;
  /** The models of organizations that configured none of their own. */
  models: ConfiguredModels | undefined;
  /** Single sign-on set by environment variables. */
  singleSignOn: EnvironmentSingleSignOn | undefined;
  /** Without it, no mail is sent. */
  mail: MailServer | undefined;
}

export interface PublicContext {
  /** Inside an idempotent operation this is already the transaction. */
  db: Db;
  clock: Clock;
  log: Log;
  requestId: string;
  /** Without a trailing slash. */
  baseUrl: string;
  client: { address: string; userAgent: string | null };
  session: SessionCarrier;
  settings: OperationSettings;
  feed: ChangeFeed;
  secrets: SecretBox;
  code: CodeReader & CodeReviewer & CodeWriter;
  codeHosts: CodeHosts;
  /** Asks the code host of a repository about a pull request that isn't known here. */
  isOnHost(pullRequest: { repositoryId: string; number: number }): Promise<OnHost>;
  identityProviders: IdentityProviders;
  /** State that this node keeps in memory. */
  state: NodeState<NodeServices>;
  /** The open waits on this node. */
  waits: OpenWaits;
  /** The request as it was received; only in operations with a signed body. */
  received: { headers: Record<string, string | string[] | undefined>; body: Uint8Array } | undefined;
  /** Runs the task once the transaction has committed; never runs it when the request fails. */
  afterCommit(task: () => void): void;
  /** Fires when the client disconnects or the service stops. */
  disconnected(): AbortSignal;
  /** Whether the credential of this request is still valid and its user's role not lower; long waits check again. */
  stillAllowed(): Promise<boolean>;
}

export interface Context extends PublicContext {
  actor: Actor;
}

type Definition<C, Input extends z.ZodObject, Output extends z.ZodType | null> = Omit<
  Operation,
  'input' | 'output' | 'run' | 'prepare' | 'admit' | 'accepts' | 'role' | 'example'
> & {
  input: Input;
  output: Output;
  example?: {
    request: z.input<Input>;
    reply?: Output extends z.ZodType ? z.input<Output> : never;
  };
  admit?(context: C, input: z.output<Input>): Promise<void>;
  prepare?(context: C, input: z.output<Input>): Promise<unknown>;
  run(
    context: C,
    input: z.output<Input>,
    prepared: never,
  ): Promise<Output extends z.ZodType ? z.input<Output> : void>;
};

/** Who slow work is done for, and a signal that fires when nobody needs its result anymore. */
export function callOf({ actor, disconnected }: Context): Call {
  return { caller: actor, signal: disconnected() };
}

/** An operation for authenticated callers. */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodType | null>(
  definition: Definition<Context, Input, Output> & { accepts: readonly [Access, ...Access[]]; role: Role },
): Operation<Context> {
  const operation = definition as unknown as Operation<Context>;
  checkOperation(operation as Operation);
  return operation;
}

/** An operation that needs no credential, such as signing in, setup or accepting an invitation. */
export function definePublicOperation<Input extends z.ZodObject, Output extends z.ZodType | null>(
  definition: Definition<PublicContext, Input, Output>,
): Operation<Context> {
  return defineOperation({ ...definition, accepts: [], role: null } as never);
}
