/** The OAuth 2.1 server that agents are signed in with. */
import type { Actor } from '../core/actor.ts';
import type { AgentSignIn } from '../core/agent-sign-in.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { SecretBox } from '../core/secret-box.ts';
import type { Db } from '../db/index.ts';

export interface SignInOfAgents extends AgentSignIn {
  find(token: string): Promise<Actor | undefined>;
  /** Writes down which agents came back. */
  flush(): Promise<void>;
}

export function createAgentSignIn(_services: {
  db: Db;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  site: { baseUrl: string };
}): SignInOfAgents {
  return {
    paths: [],
    async handle() {},
    async find() {
      return undefined;
    },
    async flush() {},
  };
}
