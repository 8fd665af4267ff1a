/** What looking at a code host needs, and what each step of a look receives. */
import type { CodeHost, CodeHosts } from '../../engines/code-hosts/index.ts';
import type { Log } from '../../platform/core/log.ts';
import type { SecretBox } from '../../platform/core/secret-box.ts';
import type { Db } from '../../platform/db/index.ts';
import type { LookedAtHost } from './look-store.ts';

export interface LookServices {
  db: Db;
  secrets: SecretBox;
  codeHosts: Pick<CodeHosts, 'open'>;
  log: Log;
  now(): Date;
  announce(topic: string): void;
  baseUrl(): string;
}

export interface Look extends LookServices {
  host: CodeHost;
  row: LookedAtHost;
  signal: AbortSignal;
}
